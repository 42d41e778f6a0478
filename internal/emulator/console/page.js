"use strict";
// Brings the page up to date every second while it is visible, and sends what its buttons and forms say.
(() => {
  const pulse = document.getElementById("pulse");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // Says how the connection is, once for each change: a screen reader reads it aloud.
  const say = (text, lost) => {
    if (pulse.textContent !== text) pulse.textContent = text;
    document.body.classList.toggle("lost", lost);
  };

  // Lets a change be seen for a moment.
  const flash = element => {
    if (element && !calm.matches && !element.closest(".quiet, time, progress"))
      element.animate([{ backgroundColor: "var(--flash)" }, { backgroundColor: "transparent" }], 1600);
  };

  // Changes a node into another one, and leaves alone what is the same: the focus, a selection and what is unfolded stay.
  const patch = (old, next) => {
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.nodeValue !== next.nodeValue) {
        old.nodeValue = next.nodeValue;
        flash(old.parentElement);
      }
      return;
    }
    if (old.hasAttribute("data-still")) return;
    const mine = new Set(["open", "hidden"]);
    for (const { name, value } of next.attributes)
      if (!mine.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
    for (const { name } of [...old.attributes])
      if (!mine.has(name) && !next.hasAttribute(name)) old.removeAttribute(name);
    const known = new Map([...old.children].filter(c => c.dataset.key).map(c => [c.dataset.key, c]));
    const stay = new Set([...next.children].map(c => c.dataset.key));
    for (const [key, gone] of known) if (!stay.has(key)) gone.remove();
    let at = old.firstChild;
    for (const wanted of [...next.childNodes]) {
      const key = wanted.dataset?.key;
      const same = key ? known.get(key) : at && !at.dataset?.key && at.nodeName === wanted.nodeName ? at : null;
      if (!same) {
        old.insertBefore(wanted, at);
        if (wanted.nodeType === Node.ELEMENT_NODE) flash(wanted);
        continue;
      }
      if (same === at) at = at.nextSibling;
      else old.insertBefore(same, at);
      patch(same, wanted);
    }
    while (at) {
      const last = at;
      at = at.nextSibling;
      last.remove();
    }
  };

  // Shows what needs this script, and hides what a filter leaves out.
  const arrange = () => {
    for (const element of document.querySelectorAll(".needs-script[hidden], #controls[hidden]")) element.hidden = false;
    for (const [filter, rows] of [["filter-machines", ".machine"], ["filter-requests", "#requests li"]]) {
      const text = document.getElementById(filter)?.value.toLowerCase() ?? "";
      for (const row of document.querySelectorAll(rows)) row.hidden = !row.dataset.text.toLowerCase().includes(text);
    }
  };

  const refresh = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(location.pathname + location.search, { headers: { Accept: "text/html" }, cache: "no-store" });
      if (!answer.ok) throw new Error(answer.status);
      const next = new DOMParser().parseFromString(await answer.text(), "text/html");
      patch(document.getElementById("live"), next.getElementById("live"));
      arrange();
      say("live", false);
    } catch {
      say("no connection: what is shown is old", true);
    }
  };

  // Asks whether something shall be done. What is asked before an answer takes its place; closing is told a frame later.
  const ask = document.getElementById("ask");
  let settle = () => {};
  ask.addEventListener("close", () => ask.open || settle(ask.returnValue === "yes"));
  const confirmed = question => new Promise(answered => {
    settle(false);
    settle = answered;
    document.getElementById("question").textContent = question;
    ask.returnValue = "";
    ask.showModal();
  });

  const send = async (element, call, body) => {
    if (element.dataset.confirm && !await confirmed(element.dataset.confirm)) return;
    const [method, path] = call.split(" ");
    try {
      const answer = await fetch(path, { method, body });
      if (!answer.ok) say(await answer.text(), false);
      else await refresh();
    } catch {
      say("no connection: what is shown is old", true);
    }
  };

  document.addEventListener("click", event => {
    const button = event.target.closest("button[data-call]");
    if (button) send(button, button.dataset.call, button.dataset.body);
  });
  // A field of no name is the whole body, and one named / belongs to the path.
  document.addEventListener("submit", event => {
    const form = event.target.closest("form[data-call]");
    if (!form) return;
    event.preventDefault();
    const fields = [...new FormData(form)].filter(([, value]) => value !== "");
    const text = form.querySelector("input[name='']")?.value;
    const path = form.querySelector("input[name='/']")?.value;
    const call = form.dataset.call + (path ? encodeURIComponent(path) : "") + (form.dataset.end ?? "");
    send(form, call, text ?? (path ? undefined : JSON.stringify(Object.fromEntries(fields))));
  });
  document.addEventListener("input", arrange);
  document.addEventListener("visibilitychange", refresh);
  arrange();
  const loop = async () => { await refresh(); setTimeout(loop, 1000); };
  setTimeout(loop, 1000);
})();
