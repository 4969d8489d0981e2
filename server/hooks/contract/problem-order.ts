/** The order in which the problems of a hooks block are reported. */
import type { Problem } from "./problem.ts";
import { PROFILE_RULES, type Profile } from "./profiles.ts";

/** The order of docker-agent's checks: the structure of the whole text, then each event, then each entry of the event. */
const STAGES = { shape: 0, on_error: 1, model: 2, placement: 3, matcher: 4, definition: 5 } as const;
export type CheckStage = keyof typeof STAGES;

/** Collects problems in the order of their discovery. */
export class ProblemList {
  private readonly found: { readonly problem: Problem; readonly order: readonly number[] }[] = [];
  private readonly events: unknown[] = [];

  constructor(private readonly profile: Profile) {}

  /** `within`: the path below "hooks" whose check found it. */
  add(problem: Problem, stage: CheckStage, within: readonly (string | number)[]): void {
    const [event, entry] = within;
    if (!this.events.includes(event)) this.events.push(event);
    const ofEvent = [1, this.events.indexOf(event)];
    const number = STAGES[stage];
    const ofEntry = number < STAGES.placement ? [number] : [STAGES.placement, Number(entry ?? 0), number];
    this.found.push({ problem, order: stage === "shape" ? [0] : [...ofEvent, ...ofEntry] });
  }

  /** The problems in docker-agent's order if the profile has one; else in the order of their discovery. */
  list(): Problem[] {
    const found = PROFILE_RULES[this.profile].checksPlacement
      ? this.found.toSorted((a, b) => compareOrders(a.order, b.order))
      : this.found;
    return found.map(({ problem }) => problem);
  }
}

function compareOrders(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((step, index) => step !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
