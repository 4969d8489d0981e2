/**
 * Gathers queries about one workspace while one of its statements is running: the next statement takes them all
 * together. So a workspace holds one connection, regardless of the number of callers.
 */
import { inWorkspace } from "./scope.ts";

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** `ask` answers the items in their order. A failure fails all items of the call. */
export function createGather<Item, Answer>(
  togetherMax: number,
  ask: (workspaceId: string, items: readonly Item[]) => Promise<readonly Answer[]>,
): (workspaceId: string, item: Item) => Promise<Answer> {
  const waiting = new Map<string, Waiting<Item, Answer>[]>();

  async function drain(workspaceId: string, queue: Waiting<Item, Answer>[]): Promise<void> {
    while (queue.length > 0) {
      const together = queue.splice(0, togetherMax);
      try {
        const answers = await ask(
          workspaceId,
          together.map(({ item }) => item),
        );
        if (answers.length !== together.length) throw new Error(`${together.length} asked, ${answers.length} answered`);
        for (const [place, { resolve }] of together.entries()) resolve(answers[place] as Answer); // holds: as many as were asked
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    waiting.delete(workspaceId);
  }

  return (workspaceId, item) =>
    new Promise((resolve, reject) => {
      const known = waiting.get(workspaceId);
      const queue = known ?? [];
      queue.push({ item, resolve, reject });
      if (known) return;
      waiting.set(workspaceId, queue);
      void inWorkspace(workspaceId, () => drain(workspaceId, queue));
    });
}
