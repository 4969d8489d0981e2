"use client";

import { UserRoundX } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { usePrincipals } from "@/components/principals/use-principals";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Select } from "@/components/ui/select";
import { UNKNOWN_PERSON } from "@/server/access/principal-schema";
import type { ApprovalView } from "@/server/approvals/schema";

const EVERY_PERSON = "all";

export interface RequestsOfPersonProps {
  requests: ApprovalView[];
  children: (requests: ApprovalView[]) => ReactNode;
}

/** The requests of the person in `?person=`, with the choice of the person; all of them without one. */
export function RequestsOfPerson({ requests, children }: RequestsOfPersonProps) {
  const { find, nameOf } = usePrincipals();
  const [person, setPerson] = useQueryState("person", parseAsString);
  const personOf = ({ principal }: ApprovalView) =>
    principal === null ? UNKNOWN_PERSON : (find(principal.id)?.id ?? principal.id);
  const people = [...new Set([...requests.map(personOf), ...(person === null ? [] : [person])])];
  const options = [
    { value: EVERY_PERSON, label: "Every person" },
    ...people.map((id) => ({ value: id, label: nameOf(id) })).toSorted((a, b) => a.label.localeCompare(b.label)),
  ];
  const shown = person === null ? requests : requests.filter((request) => personOf(request) === person);
  return (
    <>
      {people.length > 0 ? (
        <Select
          size="sm"
          className="w-fit"
          aria-label="Person"
          value={person ?? EVERY_PERSON}
          options={options}
          onChange={(next) => void setPerson(next === EVERY_PERSON ? null : next)}
        />
      ) : null}
      {person !== null && shown.length === 0 ? (
        <EmptyState
          icon={UserRoundX}
          title={`No requests for ${nameOf(person)}`}
          action={<Button onClick={() => void setPerson(null)}>Show every person</Button>}
        >
          The filter hides the requests for other people.
        </EmptyState>
      ) : (
        children(shown)
      )}
    </>
  );
}
