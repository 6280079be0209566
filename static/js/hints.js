// Hints one at a time: the next one is offered when the one before it has been opened.
export function startHints(panel) {
  const hints = [...panel.querySelectorAll(".hint-item")];
  const next = panel.querySelector("#next-hint");
  const update = () => {
    const open = hints.filter((hint) => hint.dataset.seen !== undefined).length;
    hints.forEach((hint, index) => { hint.hidden = index > Math.max(0, open - 1); });
    next.hidden = open === 0 || open >= hints.length;
    next.textContent = `Show hint ${open + 1} of ${hints.length}`;
  };
  for (const hint of hints) {
    hint.addEventListener("toggle", () => {
      if (!hint.open) return;
      hint.dataset.seen = "";
      update();
    });
  }
  next.addEventListener("click", () => {
    const hint = hints.find((one) => one.dataset.seen === undefined);
    hint.dataset.seen = "";
    hint.open = true;
    update();
    hint.querySelector("summary").focus();
  });
  update();
}
