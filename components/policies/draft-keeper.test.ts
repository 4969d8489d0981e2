import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DraftKeeper, type DraftPorts, type Held, type Stashed } from "@/components/policies/draft-keeper";

const AT = new Date("2026-01-01T00:00:00Z");
const held: Held = { source: "old", publishedSource: "old", latestRevision: 1, draftVersion: 0, draftUpdatedAt: null };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server that holds one draft, and a browser that keeps one text. */
function world(from: Held = held, kept: Stashed | null = null) {
  const server = {
    source: from.source,
    version: from.draftVersion,
    revision: from.latestRevision,
    saves: 0,
    isAway: false,
  };
  let stash = kept;
  const ports: DraftPorts = {
    async save({ source, baseVersion, baseRevision }) {
      await Promise.resolve();
      if (server.isAway) throw new Error("away");
      if (baseVersion !== server.version || baseRevision !== server.revision) throw new Error("moved on");
      Object.assign(server, { source, version: server.version + 7, saves: server.saves + 1 });
      return { version: server.version, updatedAt: AT };
    },
    isMovedOn: (error) => error instanceof Error && error.message === "moved on",
    sentence: (error) => String(error),
    stash: {
      read: () => stash,
      write: (next) => {
        stash = next;
      },
    },
  };
  const view = (): Held => ({
    ...from,
    source: server.source,
    draftVersion: server.version,
    latestRevision: server.revision,
  });
  const keeper = new DraftKeeper(from, ports);
  keeper.start();
  return { keeper, server, view, stashed: () => stash };
}

describe("what is typed", () => {
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
  it("mine can be put on top, knowingly", async () => {
    const { keeper, server, view } = await conflict();
    keeper.keepMine(view());
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server.source).toBe("mine");
    expect(keeper.state.phase).toBe("idle");
  });
});

describe("a newer view from the server", () => {
  const newer: Held = { ...held, source: "newer", draftVersion: 5 };
  it("is followed by a text nobody touched", () => {
    const { keeper } = world();
    keeper.renew(newer);
    expect(keeper.state).toMatchObject({ text: "newer", version: 5 });
  });
  it("leaves typed text alone", () => {
    const { keeper } = world();
    keeper.type("mine");
    keeper.renew(newer);
    expect(keeper.state.text).toBe("mine");
  });
});

describe("text of an earlier visit that was never confirmed", () => {
  it("comes back and is saved", async () => {
    const { keeper, server } = world(held, { source: "typed", version: 0, revision: 1 });
    expect(keeper.state.text).toBe("typed");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server.source).toBe("typed");
  });
  it("is a conflict when the policy moved on since", () => {
    const { keeper } = world(held, { source: "typed", version: 3, revision: 1 });
    expect(keeper.state).toMatchObject({ phase: "conflict", text: "typed" });
  });
  it("is forgotten when the server has it", () => {
    const { keeper, stashed } = world(held, { source: "old", version: 3, revision: 1 });
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
