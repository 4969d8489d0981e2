/** Shows one notice as a notification of this browser. */
import type { NoticeView } from "@/server/notices/schema";

export const NOTICE_WORKER_PATH = "/notice-worker.js";

/** Tabs share the tag, so one notice is one notification. Opening it does not answer the request. */
export async function showNotice(notice: NoticeView): Promise<void> {
  const { key, title, says, path } = notice;
  const worker = await noticeWorker();
  if (worker === null) showFromPage(notice);
  else await worker.showNotification(title, { body: says, tag: key, data: { url: path } });
}

/**
 * Registered with the first notice, so a person without browser notifications has no worker. Null when it is not
 * available.
 */
async function noticeWorker(): Promise<ServiceWorkerRegistration | null> {
  // Absent on a page that is not secure.
  const container: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  if (container === undefined) return null;
  try {
    await container.register(NOTICE_WORKER_PATH);
    return await container.ready;
  } catch {
    return null;
  }
}

function showFromPage({ key, title, says, path }: NoticeView): void {
  const shown = new Notification(title, { body: says, tag: key });
  shown.onclick = () => {
    window.focus();
    window.location.assign(path);
    shown.close();
  };
}
