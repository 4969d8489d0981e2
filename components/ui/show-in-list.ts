/**
 * Keeps the current tab in sight, also when a count that arrives later makes a tab wider. Scrolls only the list:
 * `scrollIntoView` would also scroll the containers around the tabs, such as a drawer.
 */
export function showInList(tab: HTMLElement | null): (() => void) | undefined {
  const list = tab?.parentElement;
  if (!tab || !list) return;
  const show = () => {
    const [own, all] = [tab.getBoundingClientRect(), list.getBoundingClientRect()];
    if (own.left < all.left) list.scrollLeft -= all.left - own.left;
    else if (own.right > all.right) list.scrollLeft += own.right - all.right;
  };
  show();
  const sizes = new ResizeObserver(show);
  for (const one of list.children) sizes.observe(one);
  return () => sizes.disconnect();
}
