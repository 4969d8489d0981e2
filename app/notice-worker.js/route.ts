import { NOTICE_WORKER } from "@/components/notices/notice-worker";

/** A file for everybody: it holds nothing of any workspace, and browsers ask for it without a page. */
export function GET(): Response {
  const headers = { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" };
  return new Response(NOTICE_WORKER, { headers });
}
