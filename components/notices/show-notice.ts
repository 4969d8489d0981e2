/** Shows one notice as a notification of this browser. */
import type { NoticeView } from "@/server/notices/schema";

export const NOTICE_WORKER_PATH = "/notice-worker.js";

/** Tabs share the tag, so one notice is one notification. Opening it answers nothing. */
export async function showNotice(notice: NoticeView): Promise<void> {
  const { key, title, says, path } = notice;
  const worker = await noticeWorker();
  if (worker === null) showFromPage(notice);
  else await worker.showNotification(title, { body: says, tag: key, data: { url: path } });
}

/** Registered with the first notice: who chose none for the browser has no worker. Null where it cannot be had. */
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
