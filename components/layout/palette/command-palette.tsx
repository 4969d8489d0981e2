"use client";

import { Command as Cmdk } from "cmdk";
import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { type PaletteItem, usePaletteItems } from "@/components/layout/palette/use-palette-items";
import { useRecent } from "@/components/layout/palette/use-recent";
import { useSearch } from "@/components/layout/palette/use-search";
import { WorkspaceObjectItems } from "@/components/layout/palette/workspace-object-items";
import { Button } from "@/components/ui/button";
import { scrimLook } from "@/components/ui/dialog";
import { groupBy } from "@/components/ui/group-by";
import { Kbd } from "@/components/ui/kbd";

export interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Finds and runs anything: objects of the workspace, verbs, pages, the current page's commands, the theme. */
export function CommandPalette({ open, onOpenChange }: CommandPaletteProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={scrimLook} />
        <Radix.Content
          aria-describedby={undefined}
          className="-translate-x-1/2 fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-24px)] max-w-140 animate-fade overflow-hidden rounded-lg bg-raised shadow-overlay outline-none"
        >
          <Radix.Title className="sr-only">Command palette</Radix.Title>
          <Palette close={() => onOpenChange(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Palette({ close }: { close: () => void }) {
  const router = useRouter();
  const [text, setText] = useState("");
  const items = usePaletteItems(text);
  const { recent, remember } = useRecent();
  const search = useSearch(text);
  const isBlank = text.trim() === "";
  const run = (item: PaletteItem) => {
    close();
    if (item.href !== undefined) router.push(item.href);
    else item.run?.();
  };
  return (
    <Cmdk label="Command palette" loop shouldFilter={false}>
      <div className="flex items-center gap-2 border-line border-b px-3">
        <Search aria-hidden className="size-4 text-faint" />
        <Cmdk.Input
          placeholder="Search policies, agents, sessions… or run a command"
          value={text}
          onValueChange={setText}
          maxLength={200}
          className="h-11 flex-1 bg-transparent text-md outline-none max-sm:text-lg"
        />
        <Kbd keys="escape" />
      </div>
      <Cmdk.List className="max-h-[60vh] overflow-y-auto p-1">
        {isBlank && recent.length > 0 ? (
          <Group heading="Recent">
            <WorkspaceObjectItems
              objects={recent}
              showsKind
              onOpen={(object) => run({ ...object, href: object.href })}
            />
          </Group>
        ) : null}
        {groupBy(items, ({ group }) => group).map(([heading, members]) => (
          <Group key={heading} heading={heading}>
            {members.map((item) => (
              <Item key={item.id} item={item} onRun={() => run(item)} />
            ))}
          </Group>
        ))}
        {search.groups.map(({ heading, objects }) => (
          <Group key={heading} heading={heading}>
            <WorkspaceObjectItems
              objects={objects}
              onOpen={(object) => {
                remember(object);
                run({ ...object, href: object.href });
              }}
            />
          </Group>
        ))}
      </Cmdk.List>
      <SearchState search={search} hasItems={items.length > 0} />
    </Cmdk>
  );
}

/** The state of the search below the list: running, failed, or without a result. */
function SearchState({ search, hasItems }: { search: ReturnType<typeof useSearch>; hasItems: boolean }) {
  const isEmpty = search.isDone && search.groups.length === 0 && !hasItems;
  if (search.failure === null && !search.isBusy && !isEmpty) return null;
  return (
    <div
      role="status"
      className="flex min-h-9 items-center justify-between gap-3 border-line border-t px-3 py-1.5 text-muted text-sm"
    >
      {search.failure === null ? (
        <span>{search.isBusy ? "Searching…" : "No match. Search by name or by session ID."}</span>
      ) : (
        <>
          <span>The search failed. {search.failure}</span>
          <Button size="sm" onClick={search.retry}>
            Try again
          </Button>
        </>
      )}
    </div>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Cmdk.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Cmdk.Group>
  );
}

function Item({ item, onRun }: { item: PaletteItem; onRun: () => void }) {
  const { id, label, icon: Icon, aside, refusal, keys } = item;
  return (
    <Cmdk.Item
      value={id}
      onSelect={onRun}
      disabled={refusal !== undefined}
      className="flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 data-[disabled=true]:cursor-not-allowed data-[selected=true]:bg-hover data-[disabled=true]:text-muted max-sm:min-h-11"
    >
      <span className="flex w-4 shrink-0 justify-center text-muted">
        {Icon ? <Icon aria-hidden className="size-4" strokeWidth={1.75} /> : null}
      </span>
      <span className="shrink-0">{label}</span>
      {refusal ? (
        <span className="min-w-0 text-muted text-sm">{refusal}</span>
      ) : aside ? (
        <span className="truncate text-faint text-sm max-sm:hidden">{aside}</span>
      ) : null}
      {keys && refusal === undefined ? <Kbd keys={keys} className="ml-auto" /> : null}
    </Cmdk.Item>
  );
}
