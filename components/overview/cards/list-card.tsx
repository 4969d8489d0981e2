import type { ReactNode } from "react";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorState } from "@/components/ui/error-state";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";

interface ListCardProps<T> {
  title: string;
  aside?: ReactNode;
  actions?: ReactNode;
  query: {
    readonly data: T | undefined;
    readonly isError: boolean;
    readonly error: unknown;
    readonly isFetching: boolean;
    readonly refetch: () => Promise<unknown>;
  };
  children: (data: T) => ReactNode;
}

/** A card with one query: loading, failed, or its content. Its height holds a short list, so that rows move nothing. */
export function ListCard<T>({ title, aside, actions, query, children }: ListCardProps<T>) {
  const { data, isError, error, isFetching, refetch } = query;
  return (
    <Section title={title} aside={aside} actions={actions} framed flush className="h-full">
      <div className="min-h-64">
        {data !== undefined ? (
          children(data)
        ) : isError ? (
          <ErrorState
            compact
            title={`${title} could not be loaded`}
            reason={failureSentence(error)}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        ) : (
          <Loading label={title} className="p-4">
            <SkeletonText lines={6} />
          </Loading>
        )}
      </div>
    </Section>
  );
}
