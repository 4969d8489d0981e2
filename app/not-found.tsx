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
        title="Page not found"
        compact
        action={
          <Button asChild>
            <Link href="/">Go to Home</Link>
          </Button>
        }
      >
        The address may be outdated, or the item was removed.
      </EmptyState>
    </FullPage>
  );
}
