"use client";

import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { Loaded } from "@/components/settings/loaded";
import { ROLE_ABILITIES } from "@/components/settings/roles";
import { useTRPC } from "@/components/trpc/client";
import { cn } from "@/components/ui/cn";
import { ROLES, type Role } from "@/server/access/role-schema";

/** The permissions of each role, as the server decides them; `of` highlights one role's column. */
export function RoleMatrix({ of }: { of?: Role }) {
  const trpc = useTRPC();
  const me = useQuery(trpc.access.me.queryOptions());
  return (
    <Loaded query={me} what="The roles">
      {({ permissions }) => (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on a phone, and so by keyboard
          tabIndex={0}
          aria-label="Roles and permissions"
          className="relative overflow-x-auto rounded-md border bg-surface"
        >
          <table className="w-full text-sm">
            <thead>
              <tr className="border-line border-b">
                <th scope="col" className="px-3 py-1.5 text-left font-medium text-muted">
                  Permission
                </th>
                {ROLES.map((role) => (
                  <th
                    key={role}
                    scope="col"
                    className={cn("px-2 py-1.5 font-medium", role === of ? "bg-selected text-text" : "text-muted")}
                  >
                    {role}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {ROLE_ABILITIES.map(({ label, to }) => {
                const holders = permissions.find(({ name }) => name === to)?.roles ?? [];
                return (
                  <tr key={to} className="border-line border-b last:border-0">
                    <th scope="row" className="min-w-44 px-3 py-1 text-left font-normal">
                      {label}
                    </th>
                    {ROLES.map((role) => (
                      <td key={role} className={cn("px-2 py-1 text-center", role === of && "bg-selected")}>
                        {holders.includes(role) ? (
                          <>
                            <Check aria-hidden className="mx-auto size-4 text-allow" />
                            <span className="sr-only">yes</span>
                          </>
                        ) : (
                          <span className="sr-only">no</span>
                        )}
                      </td>
                    ))}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      )}
    </Loaded>
  );
}
