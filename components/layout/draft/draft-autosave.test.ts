import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  DraftAutosave,
  type DraftPorts,
  type ServerDraft,
  type Stashed,
} from "@/components/layout/draft/draft-autosave";

const AT = new Date("2026-01-01T00:00:00Z");
const held: ServerDraft = {
  ...{ source: "old", publishedSource: "old", latestRevision: 1 },
  ...{ draftVersion: 0, draftUpdatedAt: null, draftUpdatedBy: null, latestBy: "Bob" },
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server that holds one draft, and a browser that keeps one text. */
function world(from: ServerDraft = held, kept: Stashed | null = null) {
  const server = {
    source: from.source,
    version: from.draftVersion,
    revision: from.latestRevision,
    onRevision: 0,
    saves: 0,
    isAway: false,
  };
  let stash = kept;
  const ports: DraftPorts = {
    async save({ source, baseVersion, baseRevision, onRevision = 0 }) {
      await Promise.resolve();
      if (server.isAway) throw new Error("away");
      if (baseVersion !== server.version || baseRevision !== server.revision) throw new Error("moved on");
      Object.assign(server, { source, version: server.version + 7, saves: server.saves + 1, onRevision });
      return { version: server.version, updatedAt: AT };
    },
    isMovedOn: (error) => error instanceof Error && error.message === "moved on",
    held: async () => {
      if (server.isAway) throw new Error("away");
      return view();
    },
    sentence: (error) => String(error),
    stash: {
      read: () => stash,
      write: (next) => {
        stash = next;
      },
    },
  };
  const view = (): ServerDraft => ({
    ...from,
    source: server.source,
    draftVersion: server.version,
    draftUpdatedBy: "Ada",
    latestRevision: server.revision,
  });
  const keeper = new DraftAutosave(from, ports);
  keeper.start();
  return { keeper, server, view, stashed: () => stash };
}

describe("what is typed", () => {
  it("is saved one save at a time, however many ask and however slow the server is", async () => {
    const { keeper, server } = world();
    keeper.type("a");
    const all = [keeper.saveNow()];
    keeper.type("ab");
    // All of them wait for the first; it must not be five that save then.
    for (let times = 0; times < 5; times += 1) all.push(keeper.saveNow());
    expect(await Promise.all(all)).toEqual([true, true, true, true, true, true]);
    expect(server).toMatchObject({ source: "ab", saves: 2 });
    expect(keeper.state.phase).toBe("idle");
  });
  it("is saved once, a moment after the last keystroke", async () => {
    const { keeper, server, stashed } = world();
    keeper.type("a");
    keeper.type("ab");
    expect(stashed()?.source).toBe("ab");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server).toMatchObject({ source: "ab", saves: 1 });
    expect(keeper.state).toMatchObject({ phase: "idle", saved: "ab", savedAt: AT });
    expect(stashed()).toBeNull();
  });

  it("while a save is under way is saved after it, on top of it", async () => {
    const { keeper, server } = world();
    keeper.type("a");
    const first = keeper.saveNow();
    keeper.type("ab");
    expect(await first).toBe(true);
    expect(server.source).toBe("ab");
    expect(keeper.isDirty).toBe(false);
  });

  it("is kept in the browser while the server is away, and saved when it is back", async () => {
    const { keeper, server, stashed } = world();
    server.isAway = true;
    keeper.type("a");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(keeper.state).toMatchObject({ phase: "failed", failure: "Error: away" });
    expect(stashed()?.source).toBe("a");
    server.isAway = false;
    await vi.advanceTimersByTimeAsync(6_000);
    expect(server.source).toBe("a");
    expect(keeper.state.phase).toBe("idle");
  });
});

describe("when somebody else saved meanwhile", () => {
  async function conflict() {
    const all = world();
    Object.assign(all.server, { source: "theirs", version: 99 });
    all.keeper.type("mine");
    expect(await all.keeper.saveNow()).toBe(false);
    return all;
  }
  it("nothing is overwritten and nothing is lost", async () => {
    const { keeper, server, stashed } = await conflict();
    expect(keeper.state).toMatchObject({ phase: "conflict", text: "mine" });
    keeper.type("mine more");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(server).toMatchObject({ source: "theirs", saves: 0 });
    expect(stashed()?.source).toBe("mine more");
  });
  it("theirs can be taken", async () => {
    const { keeper, view, stashed } = await conflict();
    keeper.takeTheirs(view());
    expect(keeper.state).toMatchObject({ phase: "idle", text: "theirs", saved: "theirs" });
    expect(stashed()).toBeNull();
  });
  it("what a person makes of both is saved on top of theirs", async () => {
    const { keeper, server } = await conflict();
    expect(keeper.state.conflict).toMatchObject({ base: "old", theirs: "theirs", by: "Ada" });
    keeper.settle("mine\ntheirs");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server.source).toBe("mine\ntheirs");
    expect(keeper.state).toMatchObject({ phase: "idle", conflict: null });
  });
  it("once more while a person decides, both are met again and nothing is overwritten", async () => {
    const { keeper, server } = await conflict();
    Object.assign(server, { source: "theirs again", version: 120 });
    keeper.settle("mine after all");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server).toMatchObject({ source: "theirs again", saves: 0 });
    expect(keeper.state).toMatchObject({ phase: "conflict", text: "mine after all" });
  });
});

describe("when somebody else saved another part meanwhile", () => {
  const lines = (...of: string[]) => of.join("\n");
  async function merged() {
    const from = { ...held, source: lines("a", "b", "c"), publishedSource: lines("a", "b", "c") };
    const all = world(from);
    Object.assign(all.server, { source: lines("a", "b", "theirs"), version: 99 });
    all.keeper.type(lines("mine", "b", "c"));
    expect(await all.keeper.saveNow()).toBe(true);
    return all;
  }
  it("both changes are in the text and are saved, and who made the other one is told", async () => {
    const { keeper, server } = await merged();
    expect(server.source).toBe(lines("mine", "b", "theirs"));
    expect(keeper.state).toMatchObject({ phase: "idle", merged: { by: "Ada", mine: lines("mine", "b", "c") } });
    keeper.acknowledgeMerge();
    expect(keeper.state.merged).toBeNull();
  });
  it("the merge can be taken apart: mine is back, theirs is not lost, and what is then chosen is saved", async () => {
    const { keeper, server } = await merged();
    keeper.undoMerge();
    expect(keeper.state).toMatchObject({ phase: "conflict", text: lines("mine", "b", "c") });
    expect(keeper.state.conflict?.theirs).toBe(lines("a", "b", "theirs"));
    keeper.settle(lines("a", "b", "theirs"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server.source).toBe(lines("a", "b", "theirs"));
  });
  it("a text that was changed since is not taken back", async () => {
    const { keeper } = await merged();
    keeper.type(lines("mine", "more", "theirs"));
    keeper.undoMerge();
    expect(keeper.state.text).toBe(lines("mine", "more", "theirs"));
  });
  it("and their text cannot be had, mine is kept and both are met later", async () => {
    const { keeper, server } = world();
    Object.assign(server, { source: "theirs", version: 99 });
    keeper.type("mine");
    await vi.advanceTimersByTimeAsync(600);
    server.isAway = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(keeper.state).toMatchObject({ phase: "failed", text: "mine" });
    server.isAway = false;
    await vi.advanceTimersByTimeAsync(6_000);
    expect(keeper.state.phase).toBe("conflict");
  });
});

describe("a draft that is behind", () => {
  const newer = { number: 2, source: "a\nb\nnew", author: "Ada" };
  it("is brought onto the newer revision, and the server is told which", async () => {
    const { keeper, server } = world({ ...held, source: "mine\nb\nc", draftVersion: 4 });
    keeper.bringUpTo("a\nb\nc", newer);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server).toMatchObject({ source: "mine\nb\nnew", onRevision: 2 });
    expect(keeper.state).toMatchObject({ phase: "idle", onto: null, merged: { by: "Ada" } });
  });
  it("that holds the newer text already only moves", async () => {
    const { keeper, server } = world({ ...held, source: newer.source, draftVersion: 4 });
    keeper.bringUpTo("a\nb\nc", newer);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server).toMatchObject({ saves: 1, onRevision: 2 });
    expect(keeper.state.merged).toBeNull();
  });
  it("where both changed the same lines asks a person, and moves with the answer", async () => {
    const { keeper, server } = world({ ...held, source: "a\nb\nmine", draftVersion: 4 });
    keeper.bringUpTo("a\nb\nc", newer);
    expect(keeper.state).toMatchObject({ phase: "conflict", conflict: { theirs: newer.source, onto: 2 } });
    keeper.settle("a\nb\nmine\nnew");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server).toMatchObject({ source: "a\nb\nmine\nnew", onRevision: 2 });
  });
});

describe("a newer view from the server", () => {
  const newer: ServerDraft = { ...held, source: "newer", draftVersion: 5 };
  it("is followed by a text nobody touched", () => {
    const { keeper } = world();
    keeper.refresh(newer);
    expect(keeper.state).toMatchObject({ text: "newer", version: 5 });
  });
  it("that was asked for before the last save changes nothing", async () => {
    const { keeper, view } = world();
    keeper.type("a");
    await keeper.saveNow();
    const old = view();
    keeper.type("ab");
    await keeper.saveNow();
    keeper.refresh(old);
    expect(keeper.state).toMatchObject({ text: "ab", saved: "ab", version: 14 });
  });
  it("that was asked for before the text was published changes nothing", async () => {
    const { keeper, view } = world();
    keeper.type("a");
    await keeper.saveNow();
    const old = view();
    keeper.published(2);
    keeper.refresh(old);
    expect(keeper.state).toMatchObject({ text: "a", version: 0, revision: 2 });
  });
  it("without the draft that somebody discarded is followed", async () => {
    const { keeper, view } = world();
    keeper.type("a");
    await keeper.saveNow();
    keeper.refresh({ ...view(), source: "old", draftVersion: 0 });
    expect(keeper.state).toMatchObject({ text: "old", version: 0 });
  });
  it("leaves typed text alone", () => {
    const { keeper } = world();
    keeper.type("mine");
    keeper.refresh(newer);
    expect(keeper.state.text).toBe("mine");
  });
});

describe("text of an earlier visit that was never confirmed", () => {
  it("comes back and is saved", async () => {
    const { keeper, server } = world(held, { source: "typed", version: 0, revision: 1, base: "old" });
    expect(keeper.state.text).toBe("typed");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server.source).toBe("typed");
  });
  it("is a conflict when the policy moved on since", () => {
    const { keeper } = world(held, { source: "typed", version: 3, revision: 1, base: "older" });
    expect(keeper.state).toMatchObject({ phase: "conflict", text: "typed" });
  });
  it("is a conflict where nobody knows any more what it began from, also after another visit", () => {
    const kept = { source: "old\ntyped", version: 3, revision: 1, base: null };
    const { keeper, stashed } = world(held, kept);
    expect(keeper.state).toMatchObject({ phase: "conflict", conflict: { base: null } });
    keeper.type("old\ntyped on");
    expect(stashed()?.base).toBeNull();
  });
  it("is merged when the policy moved on in another part", async () => {
    const now = { ...held, source: "a\nb\ntheirs", draftVersion: 9 };
    const { server } = world(now, { source: "mine\nb\nc", version: 3, revision: 1, base: "a\nb\nc" });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server.source).toBe("mine\nb\ntheirs");
  });
  it("is forgotten when the server has it", () => {
    const { keeper, stashed } = world(held, { source: "old", version: 3, revision: 1, base: "x" });
    expect(keeper.state.phase).toBe("idle");
    expect(stashed()).toBeNull();
  });
});

it("a published text is nobody's draft any more, and typing begins another one", async () => {
  const { keeper, server } = world();
  keeper.type("a");
  await keeper.saveNow();
  Object.assign(server, { version: 0, revision: 2 });
  keeper.published(2);
  expect(keeper.state).toMatchObject({ saved: "a", version: 0, revision: 2 });
  keeper.type("ab");
  expect(await keeper.saveNow()).toBe(true);
});
