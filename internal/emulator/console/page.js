"use strict";
// Brings the page up to date every second while it is visible, and sends what its buttons and forms say.
(() => {
  const live = document.getElementById("live");
  const pulse = document.getElementById("pulse");
  const search = document.getElementById("search");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // Says how the connection is, once for each change: a screen reader reads it aloud.
  const say = (text, lost) => {
    if (pulse.textContent !== text) pulse.textContent = text;
    document.body.classList.toggle("lost", lost);
  };

  // Lets a change be seen for a moment.
  const flash = element => {
    if (element && !calm.matches && !element.closest(".quiet, time, progress, svg"))
      element.animate([{ backgroundColor: "var(--flash)" }, {}], 1600);
  };

  // Moves a node, and what it has of focus and open menus with it where the browser can.
  const move = (parent, node, before) => parent.moveBefore ? parent.moveBefore(node, before) : parent.insertBefore(node, before);

  // Changes a node into another one, and leaves alone what is the same: the focus, a selection and what is unfolded stay.
  const patch = (old, next) => {
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.nodeValue !== next.nodeValue) {
        if (old.nodeValue.trim() !== next.nodeValue.trim()) flash(old.parentElement);
        old.nodeValue = next.nodeValue;
      }
      return;
    }
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
      // Where an element was removed, the white space around it is left over.
      while (at?.nodeType === Node.TEXT_NODE && wanted.nodeType === Node.ELEMENT_NODE) {
        const left = at;
        at = at.nextSibling;
        left.remove();
      }
      const key = wanted.dataset?.key;
      const same = key ? known.get(key) : at && !at.dataset?.key && at.nodeName === wanted.nodeName ? at : null;
      if (!same) {
        old.insertBefore(wanted, at);
        if (wanted.nodeType === Node.ELEMENT_NODE) flash(wanted);
        continue;
      }
      if (same === at) at = at.nextSibling;
      else move(old, same, at);
      patch(same, wanted);
    }
    while (at) {
      const last = at;
      at = at.nextSibling;
      last.remove();
    }
  };

  // Shows what needs this script.
  const arrange = () => {
    for (const element of document.querySelectorAll(".needs-script[hidden], #controls[hidden]")) element.hidden = false;
  };

  let turn = 0;
  const refresh = async () => {
    if (document.hidden) return;
    const mine = ++turn;
    try {
      const answer = await fetch(location.pathname + location.search, { headers: { Accept: "text/html" }, cache: "no-store" });
      if (!answer.ok) throw new Error(answer.status);
      const text = await answer.text();
      if (mine !== turn) return; // a later one is under way
      const focused = document.activeElement;
      patch(live, new DOMParser().parseFromString(text, "text/html").getElementById("live"));
      arrange();
      if (focused !== document.activeElement && live.contains(focused)) focused.focus({ preventScroll: true });
      say("live", false);
    } catch {
      say("no connection: what is shown is old", true);
    }
  };

  // Goes to another choice of what is shown, without loading the page again.
  const choose = (url, replace) => {
    history[replace ? "replaceState" : "pushState"](null, "", url);
    if (document.activeElement !== search) search.value = new URLSearchParams(location.search).get("q") ?? "";
    return refresh();
  };
  let typing;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      const query = new URLSearchParams(location.search);
      if (search.value) query.set("q", search.value);
      else query.delete("q");
      choose(query.size ? "/?" + query : "/", true);
    }, 150);
  });
  addEventListener("popstate", () => choose(location.href, true));

  // Unfolds what an anchor leads to.
  const unfold = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  addEventListener("hashchange", unfold);
  unfold();

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
    const popover = element.closest("[popover]");
    const answer = popover?.querySelector(".answer");
    const tell = text => answer ? answer.textContent = text : say(text, false);
    if (element.dataset.confirm && !await confirmed(element.dataset.confirm)) return;
    const [method, path] = call.split(" ");
    try {
      const result = await fetch(path, { method, body });
      if (!result.ok) {
        if (answer && !popover.matches(":popover-open")) popover.showPopover(); // the question has closed it
        return tell(await result.text());
      }
      if (answer) answer.textContent = "";
      if (popover && !popover.hasAttribute("data-stay")) popover.hidePopover();
      await refresh();
    } catch {
      say("no connection: what is shown is old", true);
    }
  };

  document.addEventListener("click", event => {
    const button = event.target.closest("button[data-call], button[data-fill], a[data-soft]");
    if (!button) return;
    if (button.dataset.call) send(button, button.dataset.call, button.dataset.body);
    else if (button.dataset.fill) {
      const popover = document.getElementById(button.dataset.fill);
      popover.showPopover();
      popover.querySelector("[name=virtual_machine]").value = button.dataset.value;
      popover.querySelector("select").focus();
    } else if (!(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)) {
      event.preventDefault();
      button.closest("[popover]")?.hidePopover();
      choose(button.href);
    }
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
  // Says what the chosen event does.
  const kind = document.querySelector("#control-event select");
  const explain = () => document.querySelector("#control-event .about").textContent = kind.selectedOptions[0].dataset.about;
  kind.addEventListener("change", explain);
  explain();

  document.addEventListener("visibilitychange", refresh);
  arrange();
  const loop = async () => { await refresh(); setTimeout(loop, 1000); };
  setTimeout(loop, 1000);
})();
