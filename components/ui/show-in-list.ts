/** Scrolls only the list: `scrollIntoView` would also scroll the containers around the tabs, such as a drawer. */
export function showInList(tab: HTMLElement | null): void {
  const list = tab?.parentElement;
  if (!tab || !list) return;
  const [own, all] = [tab.getBoundingClientRect(), list.getBoundingClientRect()];
  if (own.left < all.left) list.scrollLeft -= all.left - own.left;
  else if (own.right > all.right) list.scrollLeft += own.right - all.right;
}
