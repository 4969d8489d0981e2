/**
 * The limit on hooks under way: so many at once, so many of one tenant, and nobody beyond. The one place that decides
 * that a dispatch is too much; what that means for the dispatch, dispatch.ts says.
 */
export interface ConcurrencyLimit {
  /** Room for the hooks of one dispatch: call the answer when they are done. A text when there is none: why. */
  acquire(tenant: string, hooks: number): (() => void) | string;
  readonly underWay: number;
}

export interface ConcurrencyLimits {
  /** Hooks of all tenants, waiting ones included. */
  readonly hooksMax: number;
  /** Of one tenant, so that one in trouble leaves room for the others. */
  readonly perTenantMax: number;
}

export const CONCURRENCY_LIMITS: ConcurrencyLimits = { hooksMax: 512, perTenantMax: 384 };

/** A room of its own. A dispatch with more hooks than there is room for at all is let in when its tenant has none. */
export function createConcurrencyLimit({ hooksMax, perTenantMax }: ConcurrencyLimits): ConcurrencyLimit {
  const perTenant = new Map<string, number>();
  let underWay = 0;
  return {
    acquire(tenant, hooks) {
      const own = perTenant.get(tenant) ?? 0;
      if (own > 0 && own + hooks > perTenantMax) return `overloaded: ${own} hooks of this workspace are under way`;
      if (own > 0 && underWay + hooks > hooksMax) return `overloaded: ${underWay} hooks are under way on this server`;
      // A tenant with nothing under way is let in until all others together hold twice the room.
      if (own === 0 && underWay >= hooksMax * 2) return `overloaded: ${underWay} hooks are under way on this server`;
      perTenant.set(tenant, own + hooks);
      underWay += hooks;
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        underWay -= hooks;
        const left = (perTenant.get(tenant) ?? hooks) - hooks;
        if (left <= 0) perTenant.delete(tenant);
        else perTenant.set(tenant, left);
      };
    },
    get underWay() {
      return underWay;
    },
  };
}
