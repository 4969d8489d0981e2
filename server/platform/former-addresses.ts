/** Addresses of earlier versions and the present ones. Links in mails, chats and bookmarks keep working. */

interface FormerAddress {
  /** The former path; the part after it is kept if the path ends with a slash. */
  readonly from: string;
  /** Applies only with these parameters; an empty value means any. They are dropped from the present address. */
  readonly having?: Readonly<Record<string, string>>;
  /** Keeps the parameters of `having`. */
  readonly keeps?: true;
  readonly to: string;
}

/** The first row that applies is taken. */
export const FORMER_ADDRESSES: readonly FormerAddress[] = [
  { from: "/decisions", having: { view: "settled" }, to: "/activity/approval-paths" },
  { from: "/decisions", having: { view: "rules" }, to: "/policies/performance" },
  { from: "/decisions", to: "/activity" },
  { from: "/sessions", to: "/activity/sessions" },
  { from: "/sessions/", to: "/activity/sessions/" },
  { from: "/compactions", to: "/activity/compactions" },
  { from: "/approvals", having: { except: "" }, keeps: true, to: "/approvals/exceptions" },
  { from: "/policies", having: { packs: "1" }, to: "/policies/packs" },
  { from: "/policies", having: { reviews: "" }, keeps: true, to: "/policies/reviews" },
  { from: "/policies", having: { review: "" }, keeps: true, to: "/policies/reviews" },
  { from: "/judges", to: "/policies/judges" },
  { from: "/judges/prompts", to: "/policies/prompts" },
  { from: "/judges/prompts/", to: "/policies/prompts/" },
  { from: "/costs", having: { view: "prices" }, to: "/spend/prices" },
  { from: "/costs", to: "/spend" },
  { from: "/budgets", to: "/spend/budgets" },
  { from: "/audit", having: { view: "keeping", do: "hold" }, keeps: true, to: "/settings/data" },
  { from: "/audit", having: { view: "keeping" }, to: "/audit/proof" },
  { from: "/halts", to: "/audit/halts" },
  { from: "/alerts", to: "/settings/alerts" },
  { from: "/health", to: "/settings/health" },
  { from: "/notices", having: { view: "choices" }, to: "/settings/notifications" },
  { from: "/notices", having: { view: "routes" }, to: "/settings/alerts" },
  { from: "/settings", having: { tab: "profile" }, to: "/settings" },
  { from: "/settings", having: { tab: "people" }, to: "/settings/people" },
  { from: "/settings", having: { tab: "services" }, to: "/settings/people" },
  { from: "/settings", having: { tab: "approvals" }, to: "/approvals/answerers" },
  { from: "/settings", having: { tab: "calendar" }, to: "/settings/calendar" },
  { from: "/settings", having: { tab: "sign-on" }, to: "/settings/sign-on" },
  { from: "/settings", having: { tab: "mail" }, to: "/settings/sign-on" },
  { from: "/settings", having: { tab: "webhooks" }, to: "/settings/webhooks" },
  { from: "/settings", having: { tab: "health" }, to: "/settings/health" },
];

/** The present address of a former one, with the rest of its query; null for any other. */
export function presentAddress(url: string): string | null {
  const mark = url.indexOf("?");
  const path = mark === -1 ? url : url.slice(0, mark);
  const query = mark === -1 ? "" : url.slice(mark + 1);
  const params = new URLSearchParams(query);
  const row = FORMER_ADDRESSES.find((one) => isAt(one.from, path) && hasAll(params, one.having));
  if (row === undefined) return null;
  const rest = row.from.endsWith("/") ? path.slice(row.from.length) : "";
  const dropped = row.keeps ? [] : Object.keys(row.having ?? {});
  return `${row.to}${rest}${searchWithout(query, params, dropped)}`;
}

const isAt = (from: string, path: string): boolean =>
  from.endsWith("/") ? path.startsWith(from) && path.length > from.length : path === from;

const hasAll = (params: URLSearchParams, having: FormerAddress["having"] = {}): boolean =>
  Object.entries(having).every(([name, value]) => (value === "" ? params.has(name) : params.get(name) === value));

/** The query without some parameters; otherwise byte for byte, so that a filter stays as it was written. */
function searchWithout(query: string, params: URLSearchParams, dropped: readonly string[]): string {
  if (!dropped.some((name) => params.has(name))) return query === "" ? "" : `?${query}`;
  for (const name of dropped) params.delete(name);
  const rest = params.toString();
  return rest === "" ? "" : `?${rest}`;
}
