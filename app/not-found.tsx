import { Compass } from "lucide-react";
import type { Metadata } from "next";
import { FullPage } from "@/components/layout/full-page";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <FullPage>
      <EmptyState
        icon={Compass}
        title="There is no page here"
        compact
        action={
          <Button asChild>
            <Link href="/">Go to the overview</Link>
          </Button>
        }
      >
        The address may be old, or what it named was removed.
      </EmptyState>
    </FullPage>
  );
}
