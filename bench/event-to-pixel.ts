/**
 * From a committed batch to the changed screen, while fifty events a second arrive and ten people look on. Two of them draw what
 * they see, the newest decisions and the overview; the others ask as pages do and draw nothing, for browsers have machines of their
 * own, and ten here would measure what is left of two processors. What a browser takes is counted apart. Once a second one more
 * event of each kind is marked.
 *
 *     npm run bench event-to-pixel [-- seconds [how many of the ten draw]]
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "@playwright/test";
import type pg from "pg";
import superjson from "superjson";
import { childrenOf } from "../e2e/fixtures/processes.ts";
import { observed, promised } from "./fixtures/figures.ts";
import { type GatedServer, gatedServer } from "./fixtures/gated-server.ts";
import { launchBrowser } from "./fixtures/launch-browser.ts";
import { atPace, newLedger } from "./fixtures/paced-sender.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { processorOf, processorsTaken, processorsText, total } from "./fixtures/process-tree.ts";
import { hearStreams, type ScreenWatch, type SeenOnScreen, seenOn, watchScreen } from "./fixtures/screen-watch.ts";
import { sessionTraffic, type Traffic } from "./fixtures/traffic.ts";
import { openViewers } from "./fixtures/viewers.ts";

const SECONDS = 60;
const VIEWERS = 10;
const DRAWING = 2;
const VIEWED_MS = 3_600_000;
const PER_SECOND = 50;
const CONNECTIONS = 16;
const SESSIONS = 200;
const MARK_EVERY_MS = 1_000;
/** Until screens follow at their pace. */
const WARM_UP_MS = 10_000;
/** Until the last mark is on every screen that it comes to. */
const LAST_MS = 5_000;
const SEND_MS_MAX = 30_000;
const SEND_AGAIN_MS = 100;
const ROWS_MS_MAX = 250;
const TILES_MS_MAX = 500;

interface View extends ScreenWatch {
  readonly name: string;
  readonly path: string;
  readonly p95MsMax: number;
}

const ROWS: View = {
  name: "rows",
  path: "/activity?range=15m",
  ...{ within: "main", pattern: "(pixel-\\d+-\\d+)", p95MsMax: ROWS_MS_MAX },
};
const TILES: View = {
  name: "tiles",
  path: "/?range=1h",
  ...{ within: "main", pattern: "Compactions\\s*([\\d,]+)", procedure: "overview.summary", p95MsMax: TILES_MS_MAX },
};

interface Marked {
  readonly mark: string;
  readonly dispatchId: string;
}

/** True when rows and tiles are on screen in time, at the 95th percentile over all who look at them. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const seconds = Number(args[0] ?? SECONDS);
  const drawing = Number(args[1] ?? DRAWING);
  if (!Number.isInteger(drawing) || drawing < 2 || drawing > VIEWERS)
    throw new Error(`The second argument is how many viewers draw, from 2 to ${VIEWERS}.`);
  const gated = await gatedServer();
  let browser: Browser | undefined;
  try {
    const { server, owner } = gated;
    const before = childrenOf(process.pid);
    browser = await launchBrowser();
    const browserPid = childrenOf(process.pid).find((pid) => !before.includes(pid)) ?? 0;
    const traffic = withoutCompactions(sessionTraffic(server.url, gated.keys, SESSIONS));
    const mark = marker(gated);
    await mark(0);
    const pages = await openBrowsers(browser, (await server.quarterdeck(["sign-in"])).trim(), server.url, drawing);
    const { token } = gated;
    const others =
      drawing < VIEWERS
        ? await openViewers({ url: server.url, token, count: VIEWERS - drawing, rangeMs: VIEWED_MS })
        : null;
    const marked: Record<"rows" | "tiles", Marked>[] = [];
    const [ofNode, ofBrowser] = [processorOf(server.pid ?? 0), total(processorOf(browserPid))];
    const startedMs = performance.now();
    const marking = (async () => {
      await delay(WARM_UP_MS);
      for (let round = 1; round <= seconds; round += 1) {
        const [made] = await Promise.all([mark(round), delay(MARK_EVERY_MS)]);
        marked.push(made);
      }
    })();
    const sent = await atPace(traffic, newLedger(), { perSecond: PER_SECOND, connections: CONNECTIONS }, marking);
    const ranSeconds = (performance.now() - startedMs) / 1_000;
    const taken = processorsTaken(ofNode, processorOf(server.pid ?? 0), ranSeconds);
    const viewing = (total(processorOf(browserPid)) - ofBrowser) / ranSeconds;
    await delay(LAST_MS);
    await others?.close();
    observed("load", `${PER_SECOND}/s for ${ranSeconds.toFixed(0)} s (${traffic.about}), ${sent.failures} refused`);
    observed("processors of the node", processorsText(taken));
    observed(
      "processors of the browser",
      `${viewing.toFixed(2)}, ${(viewing / drawing).toFixed(3)} for each of ${drawing} viewers that draw; ${VIEWERS} look on`,
    );
    const isFast = [];
    for (const [view, seen] of pages)
      isFast.push(await reportView(owner, view, { seen: await Promise.all(seen.map(seenOn)), marked }));
    return isFast.every(Boolean);
  } finally {
    await browser?.close();
    await gated.close();
  }
}

/** Tiles are told apart by their number of compactions: only marks count. */
function withoutCompactions(traffic: Traffic): Traffic {
  return {
    about: traffic.about,
    next() {
      for (;;) {
        const call = traffic.next();
        if (!/\/(after_compaction)$/.test(call.url)) return call;
      }
    },
  };
}

/** Each viewer is a browser of its own as far as the server can tell: own cookies, own connection. */
async function openBrowsers(browser: Browser, link: string, url: string, count: number): Promise<Map<View, Page[]>> {
  const first = await browser.newContext();
  const entrance = await first.newPage();
  await entrance.goto(link);
  await entrance.getByRole("button", { name: "Not now" }).click();
  await entrance.waitForURL((at) => !at.pathname.startsWith("/sign-in"));
  // The tile that counts the marks is hidden at first.
  const cards = { headers: { origin: url }, data: superjson.serialize({ cards: ["more_figures"] }) };
  const chosen = await first.request.post(`${url}/api/trpc/homeCards.save`, cards);
  if (!chosen.ok()) throw new Error(`the cards were answered ${chosen.status()}: ${await chosen.text()}`);
  const storageState = await first.storageState();
  await first.close();
  const pages = new Map<View, Page[]>([
    [ROWS, []],
    [TILES, []],
  ]);
  for (let viewer = 0; viewer < count; viewer += 1) {
    const context = await browser.newContext({ storageState, viewport: { width: 1_280, height: 800 } });
    const page = await context.newPage();
    const view = viewer % 2 === 0 ? ROWS : TILES;
    await hearStreams(page, view);
    await page.goto(url + view.path);
    await page.waitForLoadState("load");
    await page.getByText("Compactions").first().waitFor();
    await watchScreen(page, view);
    pages.get(view)?.push(page);
  }
  return pages;
}

/** Sends one event that becomes a row and one that a tile counts. */
function marker({ server, keys }: GatedServer) {
  /** As agents do, under one name until it is acknowledged. */
  const send = async (event: string, input: object): Promise<string> => {
    const name = randomUUID();
    for (const endMs = performance.now() + SEND_MS_MAX; ; await delay(SEND_AGAIN_MS)) {
      const answer = await fetch(`${server.url}/api/v1/hooks/${event}`, {
        method: "POST",
        headers: { authorization: `Bearer ${keys[0]}`, "content-type": "application/json", "idempotency-key": name },
        body: JSON.stringify({ session_id: "pixel", agent_name: "pixel", hook_event_name: event, ...input }),
      });
      await answer.text();
      const id = answer.headers.get("quarterdeck-dispatch-id");
      if (answer.ok && id !== null) return id;
      if (performance.now() > endMs) throw new Error(`the dispatch was answered ${answer.status}`);
    }
  };
  return async (round: number) => {
    const mark = `pixel-${process.pid}-${round}`;
    const tool = { tool_name: "shell", tool_input: { cmd: mark }, tool_use_id: mark };
    const final = { ...tool, approval_decision: "allow", approval_source: "yolo" };
    const [row, tile] = await Promise.all([
      send("on_tool_approval_decision", final),
      send("after_compaction", { compaction_reason: "threshold", input_tokens: 1_000, output_tokens: 100 }),
    ]);
    // The first was sent before anybody looked: the tile counts from one.
    return { rows: { mark, dispatchId: row }, tiles: { mark: String(round + 1), dispatchId: tile } };
  };
}

interface Looked {
  readonly seen: readonly Record<string, SeenOnScreen>[];
  readonly marked: readonly Record<"rows" | "tiles", Marked>[];
}

async function reportView(owner: pg.Pool, view: View, { seen, marked }: Looked): Promise<boolean> {
  const events = marked.map((one) => (view === ROWS ? one.rows : one.tiles));
  const { rows } = await owner.query<{ id: string; at: Date }>(
    `SELECT dispatch.id, chain_batch.recorded_at AS at FROM dispatch JOIN chain_batch USING (workspace_id, batch)
     WHERE dispatch.id = ANY($1)`,
    [events.map(({ dispatchId }) => dispatchId)],
  );
  const committedMs = new Map(rows.map(({ id, at }) => [id, at.getTime()]));
  const looks = seen.flatMap((marks) =>
    events.map(({ mark, dispatchId }) => {
      const found = view === ROWS ? marks[mark] : firstAtLeast(marks, Number(mark));
      const at = committedMs.get(dispatchId) ?? Number.NaN;
      if (found === undefined) return null;
      return {
        wholeMs: found.seenMs - at,
        browserMs: found.arrivedMs === null ? null : found.seenMs - found.arrivedMs,
      };
    }),
  );
  const unseen = looks.filter((one) => one === null).length;
  const whole = looks.map((one) => one?.wholeMs ?? Number.POSITIVE_INFINITY);
  const times = (of: readonly number[]) =>
    `p50 ${ms(percentile(of, 0.5))}, p95 ${ms(percentile(of, 0.95))}, p99 ${ms(percentile(of, 0.99))}`;
  const asked = looks.flatMap((one) =>
    one === null || one.browserMs === null ? [] : [{ ...one, browserMs: one.browserMs }],
  );
  if (asked.length > 0) {
    observed(
      `${view.name}, until their data is in the browser`,
      times(asked.map(({ wholeMs, browserMs }) => wholeMs - browserMs)),
    );
    observed(`${view.name}, the browser's own work`, times(asked.map(({ browserMs }) => browserMs)));
  }
  const p95 = percentile(whole, 0.95);
  return promised(
    `${view.name} on screen, p95 from the committed batch`,
    `under ${view.p95MsMax} ms`,
    `${ms(p95)} (${times(whole)}; ${looks.length} looks of ${seen.length} viewers, ${unseen} never saw it)`,
    p95 < view.p95MsMax,
  );
}

/** A screen may pass over a number: the next one includes it. */
function firstAtLeast(marks: Record<string, SeenOnScreen>, wanted: number): SeenOnScreen | undefined {
  const numbers = Object.entries(marks).filter(([mark]) => Number(mark.replaceAll(",", "")) >= wanted);
  return numbers.map(([, seen]) => seen).sort((left, right) => left.seenMs - right.seenMs)[0];
}
