// Splitters (mouse, touch, arrow keys) and the one-view-at-a-time switch of narrow screens.
import { load, save } from "./storage.js";

const STEP = 3;

function splitter(handle, box, axis, key, apply) {
  const least = Number(handle.ariaValueMin);
  const most = Number(handle.ariaValueMax);
  const set = (percent) => {
    const kept = Math.min(most, Math.max(least, percent));
    apply(kept);
    handle.ariaValueNow = String(Math.round(kept));
    save(key, String(kept));
  };
  const [less, more] = axis === "x" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  handle.addEventListener("keydown", (event) => {
    const change = { [less]: -STEP, [more]: STEP }[event.key];
    if (change !== undefined) set(Number(handle.ariaValueNow) + change);
    else if (event.key === "Home") set(least);
    else if (event.key === "End") set(most);
    else return;
    event.preventDefault();
  });
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    const area = box.getBoundingClientRect();
    const move = ({ clientX, clientY }) =>
      set(axis === "x" ? (100 * (clientX - area.left)) / area.width : (100 * (clientY - area.top)) / area.height);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), { once: true });
  });
  const kept = Number(load(key));
  if (kept) set(kept);
}

export function startPanes(split, work, gutter, vgutter) {
  splitter(gutter, split, "x", "left", (percent) => split.style.setProperty("--left", `${percent}%`));
  splitter(vgutter, work, "y", "top", (percent) => {
    work.style.setProperty("--top", `${percent}%`);
    work.dataset.sized = "";
  });
}

export function startViews(body, buttons) {
  const show = (view) => {
    body.dataset.view = view;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.show === view));
  };
  for (const button of buttons) button.addEventListener("click", () => show(button.dataset.show));
  return show;
}
