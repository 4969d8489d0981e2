"use client";

import { FullPage } from "@/components/layout/full-page";
import { PageFailure, type PageFailureProps } from "@/components/layout/page-failure";
import "./globals.css";

/** The page that is left when the frame around every page breaks. */
export default function GlobalError(props: PageFailureProps) {
  return (
    <html lang="en">
      <body>
        <FullPage>
          <PageFailure {...props} />
        </FullPage>
      </body>
    </html>
  );
}
