"use strict";
// Replaces what has changed since the last look, every second while the page is visible.
(() => {
  const pulse = document.getElementById("pulse");
  const refresh = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch("/", { headers: { Accept: "text/html" }, cache: "no-store" });
      if (!answer.ok) throw new Error(answer.status);
      const next = new DOMParser().parseFromString(await answer.text(), "text/html");
      const live = document.getElementById("live"), fresh = next.getElementById("live");
      if (live.innerHTML !== fresh.innerHTML) live.replaceWith(fresh);
      pulse.textContent = next.getElementById("pulse").textContent;
      pulse.className = "";
    } catch {
      pulse.textContent = "no connection";
      pulse.className = "lost";
    }
  };
  const loop = async () => { await refresh(); setTimeout(loop, 1000); };
  document.addEventListener("visibilitychange", refresh);
  setTimeout(loop, 1000);
})();
