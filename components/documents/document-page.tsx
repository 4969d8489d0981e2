import { DocumentMarkdown } from "@/components/documents/markdown";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import type { DocumentView, HeadingView } from "@/server/documents/schema";

const CRUMBS = [{ label: "Documentation", href: "/docs" }];
const LISTED_MIN = 3;

/** One document, with its sections at the side where there is room. Rendered on the server only. */
export function DocumentPage({ document }: { document: DocumentView }) {
  const sections = document.headings.filter(({ depth }) => depth === 2);
  return (
    <>
      <PageHeader title={document.title} crumbs={CRUMBS} />
      <PageBody>
        <div className="flex items-start gap-10">
          <article aria-label={document.title} className="min-w-0 flex-1">
            <DocumentMarkdown markdown={document.markdown} file={document.file} />
          </article>
          {sections.length >= LISTED_MIN ? <OnThisPage sections={sections} /> : null}
        </div>
      </PageBody>
    </>
  );
}

function OnThisPage({ sections }: { sections: readonly HeadingView[] }) {
  return (
    <nav
      aria-label="On this page"
      className="sticky top-0 max-h-[calc(100dvh-88px)] w-52 shrink-0 overflow-y-auto text-sm max-xl:hidden"
    >
      <p className="mb-1 text-faint text-xs">On this page</p>
      <ul className="flex flex-col border-line border-l">
        {sections.map(({ text, anchor }) => (
          <li key={anchor}>
            <a href={`#${anchor}`} className="block rounded-sm py-1 pl-3 text-muted hover:text-text">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
