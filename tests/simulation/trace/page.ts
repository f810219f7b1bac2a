import { readFileSync } from 'node:fs';
import type { History } from '../history.ts';
import type { Violation } from '../oracle/violations.ts';
import type { Trace } from './trace.ts';

type Picture = Readonly<{
  history: History;
  violations: readonly Violation[];
  trace: Trace;
}>;

const part = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** JSON that may be inside a script element. */
const embedded = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** One self-contained page that shows a history over time. */
export const pageOf = (picture: Picture): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>History ${picture.history.seed}</title>
<style>${part('./viewer.css')}</style>
<header>
  <h1>History ${picture.history.seed}</h1>
  <ul id="violations"></ul>
  <p>Wheel: zoom. Drag: move. Click a line of the list: go there.</p>
</header>
<main>
  <canvas id="picture"></canvas>
  <section>
    <input id="filter" type="search" placeholder="Filter, e.g. keeper-1 or QuotaLeased">
    <ol id="notes"></ol>
  </section>
</main>
<script>const picture = ${embedded(picture)};</script>
<script>${part('./viewer.js')}</script>
</html>
`;
