/**
 * The limit on running hooks, in total and per tenant. Only this module decides that a dispatch exceeds it; dispatch.ts decides
 * the result of such a dispatch.
 */
export interface ConcurrencyLimit {
  /** Reserves capacity for the hooks of one dispatch. Returns a release function, or the reason for a refusal. */
  acquire(tenant: string, hooks: number): (() => void) | string;
  readonly underWay: number;
}

export interface ConcurrencyLimits {
  /** The limit for all tenants, including waiting hooks. */
  readonly hooksMax: number;
  /** The limit per tenant, so that one tenant cannot use all capacity. */
  readonly perTenantMax: number;
}

export const CONCURRENCY_LIMITS: ConcurrencyLimits = { hooksMax: 512, perTenantMax: 384 };

/** A separate limit. A tenant without running hooks may start a dispatch that is larger than the limit. */
export function createConcurrencyLimit({ hooksMax, perTenantMax }: ConcurrencyLimits): ConcurrencyLimit {
  const perTenant = new Map<string, number>();
  let underWay = 0;
  return {
    acquire(tenant, hooks) {
      const own = perTenant.get(tenant) ?? 0;
      if (own > 0 && own + hooks > perTenantMax) return `overloaded: ${own} hooks of this workspace are under way`;
      if (own > 0 && underWay + hooks > hooksMax) return `overloaded: ${underWay} hooks are under way on this server`;
      // A tenant without running hooks is admitted until all others together have twice the limit.
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
