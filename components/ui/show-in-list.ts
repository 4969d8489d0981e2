/** Moves the list alone: `scrollIntoView` would move what the tabs stand in as well, a drawer to its middle. */
export function showInList(tab: HTMLElement | null): void {
  const list = tab?.parentElement;
  if (!tab || !list) return;
  const [own, all] = [tab.getBoundingClientRect(), list.getBoundingClientRect()];
  if (own.left < all.left) list.scrollLeft -= all.left - own.left;
  else if (own.right > all.right) list.scrollLeft += own.right - all.right;
}
