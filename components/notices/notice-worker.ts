/**
 * The service worker that opens a notification of this browser: Chrome on Android requires one. It handles no requests
 * and stores nothing. A click focuses a tab that already shows the page, or opens a new one, so that unsaved work
 * elsewhere is kept.
 */
export const NOTICE_WORKER = `self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { origin } = self.location;
  const asked = new URL(event.notification.data.url, origin);
  const url = asked.origin === origin ? asked.href : origin + "/";
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((tabs) => {
      const tab = tabs.find((one) => one.url === url);
      return tab ? tab.focus() : self.clients.openWindow(url);
    }),
  );
});
`;
