import { mkdirSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openConsole } from "./console-client.ts";
import { flush } from "./flush.ts";
import { isLocked, tryLock } from "./lock.ts";
import { keepRefused, refusedHeader } from "./refused-events.ts";
import { listSpool, spool, spoolLoss } from "./spool.ts";

let dir: string;
let server: Server;
let url: string;
/** Lines as they arrived, report by report, and how each is answered. */
let reports: string[][];
let answer: (lines: string[]) => { status: number; results?: unknown[] };

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "spool-"));
  reports = [];
  answer = (lines) => ({ status: 200, results: lines.map((_line, index) => ({ index, status: "stored" })) });
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const lines = body.trimEnd().split("\n");
    reports.push(lines);
    const { status, ...view } = answer(lines);
    response.writeHead(status).end(JSON.stringify(view));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(dir, { recursive: true });
});

const id = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
const event = (index: number, text = `{"session_id":"s${index}"}`) =>
  ({ eventId: id(index), event: "stop", lane: "default", occurredMs: 1_700_000_000_000 + index, text }) as const;

const refused = async () =>
  (await readdir(join(dir, "refused")).catch(() => [])).filter((name) => name.endsWith(".ndjson")).sort();

async function flushed(): Promise<number> {
  const console = await openConsole(url, "qd_key");
  try {
    return await flush(dir, console, Date.now);
  } finally {
    console.close();
  }
}

describe("the spool", () => {
  it("keeps each event whole on one line, for its owner alone, with its digits", async () => {
    spool(dir, event(1, '{\r\n  "cost": 0.10000000000000001\n}'));
    const [file] = listSpool(dir);
    const path = join(dir, "spool", file?.name ?? "");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const line = await readFile(path, "utf8");
    expect(line.trimEnd()).not.toContain("\n");
    expect(line).toContain('"cost": 0.10000000000000001');
    expect(JSON.parse(line)).toMatchObject({ event_id: id(1), event: "stop", occurred_at: "2023-11-14T22:13:20.001Z" });
  });

  it("has room for so many events and bytes; the oldest stay, and what is lost is counted and told", async () => {
    const limits = { eventsMax: 2, bytesMax: 1_000 };
    expect([1, 2, 3, 4].map((index) => spool(dir, event(index), limits))).toEqual([true, true, false, false]);
    expect(spool(dir, event(5, `{"x":"${"y".repeat(2_000)}"}`), { eventsMax: 10, bytesMax: 1_000 })).toBe(false);
    expect(await flushed()).toBe(3);
    const [lines = []] = reports;
    expect(lines.map((line) => JSON.parse(line).event_id).slice(0, 2)).toEqual([id(1), id(2)]);
    expect(JSON.parse(lines[2] ?? "")).toMatchObject({
      event: "notification",
      input: {
        notification_level: "warning",
        notification_message: expect.stringMatching(/^3 events .* the spool was full/),
      },
    });
    expect(await readdir(join(dir, "spool"))).toEqual([]);
  });

  it("tells a loss under the same id when it crashed while telling", async () => {
    spool(dir, event(1), { eventsMax: 0, bytesMax: 0 });
    const folder = join(dir, "spool");
    spoolLoss(dir, 1);
    const [told] = listSpool(dir);
    await writeFile(join(folder, `lost-${told?.name.slice(16, 52)}`), ".");
    spoolLoss(dir, 1);
    expect(listSpool(dir).map(({ name }) => name)).toEqual([told?.name]);
  });
});

describe("a flush", () => {
  it("reports the oldest first, in batches, and forgets what the console has", async () => {
    for (let index = 0; index < 501; index += 1) spool(dir, event(index));
    expect(await flushed()).toBe(501);
    expect(reports.map((lines) => lines.length)).toEqual([500, 1]);
    expect(JSON.parse(reports[0]?.[0] ?? "").event_id).toBe(id(0));
    expect(listSpool(dir)).toEqual([]);
    expect(await flushed()).toBe(0);
  });

  it("keeps everything while the console cannot store it, and what it refuses for good only until then", async () => {
    for (const index of [1, 2, 3]) spool(dir, event(index));
    answer = () => ({ status: 503 });
    await expect(flushed()).rejects.toThrow("HTTP 503");
    expect(listSpool(dir)).toHaveLength(3);
    const codes = [undefined, "invalid_input", "unrecorded"];
    answer = () => ({
      status: 207,
      results: codes.map((code, index) => ({
        index,
        status: code ? "refused" : "stored",
        ...(code && { error: { code } }),
      })),
    });
    await expect(flushed()).rejects.toThrow("could not store everything");
    expect(listSpool(dir).map(({ name }) => name.slice(16, 52))).toEqual([id(3)]);
    expect((await refused()).map((name) => [name.slice(16, 52), name.split(".")[1]])).toEqual([
      [id(2), "invalid_input"],
    ]);
  });

  it("sends a large event alone and last, and what becomes of it touches no other", async () => {
    const large = `{"x":"${"y".repeat(1_000_000)}"}`;
    spool(dir, event(1, large));
    for (const index of [2, 3, 4]) spool(dir, event(index));
    answer = (lines) => ({
      status: lines[0]?.includes(id(1)) ? 408 : 200,
      results: lines.map((_l, index) => ({ index, status: "stored" })),
    });
    const only = answer;
    answer = (lines) => {
      const { status, results } = only(lines);
      return status === 200 ? { status, results: results ?? [] } : { status };
    };
    await expect(flushed()).rejects.toThrow("HTTP 408");
    expect(reports.map((lines) => lines.map((line) => JSON.parse(line).event_id))).toEqual([
      [id(2), id(3), id(4)],
      [id(1)],
    ]);
    expect(listSpool(dir)).toHaveLength(1);
    answer = () => ({ status: 413 });
    expect(await flushed()).toBe(0);
    expect(listSpool(dir)).toEqual([]);
    expect((await refused()).map((name) => name.split(".")[1])).toEqual(["http_413"]);
  });

  it("takes a report apart that is refused whole, until the one event that it is about is left", async () => {
    for (let index = 0; index < 40; index += 1) spool(dir, event(index));
    const store = answer;
    for (const [status, code] of [
      [400, "http_400"],
      [500, undefined],
    ] as const) {
      for (let index = 0; index < 40; index += 1) spool(dir, event(index));
      answer = (lines) => (lines.some((line) => line.includes(id(17))) ? { status } : store(lines));
      if (code) expect(await flushed()).toBe(39);
      else await expect(flushed()).rejects.toThrow("HTTP 500");
      expect(listSpool(dir)).toHaveLength(code ? 0 : 1);
    }
    expect((await refused()).map((name) => name.slice(16, 52))).toEqual([id(17)]);
  });

  it("does not take a console that fails at everything for one bad event", async () => {
    for (let index = 0; index < 400; index += 1) spool(dir, event(index));
    answer = () => ({ status: 500 });
    await expect(flushed()).rejects.toThrow("HTTP 500");
    expect(listSpool(dir)).toHaveLength(400);
    expect(reports.length).toBeLessThan(60);
  });

  it("keeps so many refused events and bytes; the oldest give way and are counted", async () => {
    mkdirSync(join(dir, "spool"), { recursive: true });
    const limits = { eventsMax: 2, bytesMax: 1_000 };
    const refuse = (index: number, text?: string) => {
      spool(dir, event(index, text));
      for (const file of listSpool(dir)) keepRefused(dir, file, "invalid_input", limits);
    };
    expect(refusedHeader(dir)).toBeUndefined();
    for (const index of [1, 2, 3]) refuse(index);
    expect(refusedHeader(dir)).toMatch(/^machine=[0-9a-f]{16}; kept=2; dropped=1; last=invalid_input$/);
    refuse(4, `{"x":"${"y".repeat(780)}"}`);
    expect((await refused()).map((name) => name.slice(16, 52))).toEqual([id(4)]);
    expect(refusedHeader(dir)).toContain("kept=1; dropped=3;");
  });

  it("of one does not send what another is sending", async () => {
    for (const index of [1, 2, 3]) spool(dir, event(index));
    const counts = await Promise.all([flushed(), flushed(), flushed()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(reports.flat()).toHaveLength(3);
  });
});

describe("the lock", () => {
  it("is one process's, and is taken over from one that is gone", async () => {
    const path = join(dir, "lock");
    const release = tryLock(path, Date.now());
    expect(isLocked(path, Date.now())).toBe(true);
    expect(tryLock(path, Date.now())).toBeNull();
    release?.();
    expect(isLocked(path, Date.now())).toBe(false);
    await writeFile(path, "999999999");
    const taken = tryLock(path, Date.now());
    expect(taken).not.toBeNull();
    expect(tryLock(path, Date.now() + 600_000)).not.toBeNull();
  });
});
