import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Forms in which a text points at a page that the repository does not hold. */
export const foreignCitations: readonly RegExp[] = [
  /\b(relay|console|tasks?|payments?|providers?|notifications?|screens?|price) (API )?(fact )?sheets?\b/i,
  /\bfact sheets?\b/i,
  /\b(the|this|our) sheets?\b/i,
  /\bsheet, (section )?\d/i,
  /\bspecification, section\b/i,
  /\bthe specification\b/i,
  /\bspec(ification)? section \d/i,
  /\bChecks? \d+( (and|to) \d+)?\b/,
  /\/work\//,
];

const page = /infra\/reference\/([\w.-]+\.md)(?:, sections? ([\d.]+)(?: and ([\d.]+))?)?/g;
const decisionPath = /infra\/decisions\/(\d{4}[\w-]*|[a-z][\w-]*)/g;
const decisionNumber = /\b[dD]ecisions? (\d{4})\b/g;

/** `7.2`: item 2 of the section that begins `## 7.`. */
const holds = (text: string, section: string): boolean => {
  const [number = '', item] = section.replace(/\.$/, '').split('.');
  const [, body] = text.split(new RegExp(`^## ${number}\\. .*$`, 'm'));
  if (body === undefined) return false;
  const [own = ''] = body.split(/^## /m);
  return item === undefined || new RegExp(`^${item}\\. `, 'm').test(own);
};

const pageProblem = (root: string, file: string, sections: readonly string[]): string | null => {
  const path = join(root, 'infra/reference', file);
  if (!existsSync(path)) return `infra/reference/${file} does not exist`;
  const text = readFileSync(path, 'utf8');
  const missing = sections.find((section) => !holds(text, section));
  return missing === undefined ? null : `infra/reference/${file} has no section ${missing}`;
};

/** What a text cites of the repository and is not there. */
export const brokenCitations = (root: string, text: string): readonly string[] => {
  const decisions = readdirSync(join(root, 'infra/decisions'));
  const pages = [...text.matchAll(page)].map(([, file = '', ...sections]) =>
    pageProblem(
      root,
      file,
      sections.filter((section) => section !== undefined),
    ),
  );
  const numbers = [...text.matchAll(decisionPath), ...text.matchAll(decisionNumber)]
    .map(([, start = '']) => start)
    .filter((start) => !decisions.some((name) => name.startsWith(start)))
    .map((start) => `there is no decision ${start}`);
  return [...pages.filter((problem) => problem !== null), ...numbers];
};
