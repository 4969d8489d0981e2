/**
 * The service worker that opens a notification of this browser: Chrome on Android shows none without one. It sees no request and keeps
 * nothing. A click goes to a tab that is at that page already, or to a new one: work that is not saved elsewhere stays.
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
