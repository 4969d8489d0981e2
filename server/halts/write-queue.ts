/** Background writes, a few at a time, so that gates always find a connection. */

const AT_ONCE = 2;
const WAITING_MAX = 20_000;

/**
 * Queues a write, which reports its own failure; it replaces a waiting one of the same name. False when the queue is
 * full.
 */
type WriteQueue = (name: string, write: () => Promise<void>) => boolean;

export function createWriteQueue(): WriteQueue {
  const waiting = new Map<string, () => Promise<void>>();
  let underWay = 0;

  function begin(): void {
    for (const [name, write] of waiting) {
      if (underWay >= AT_ONCE) return;
      waiting.delete(name);
      underWay += 1;
      void write().finally(() => {
        underWay -= 1;
        begin();
      });
    }
  }

  return (name, write) => {
    if (waiting.size >= WAITING_MAX && !waiting.has(name)) return false;
    waiting.set(name, write);
    begin();
    return true;
  };
}
