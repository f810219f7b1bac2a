import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const monitoringFolder = new URL('../../infra/grafana', import.meta.url).pathname;

export type NamedExpression = Readonly<{ of: string; expr: string }>;

type Dashboard = Readonly<{
  panels: readonly Readonly<{ title: string; targets: readonly Readonly<{ expr: string }>[] }>[];
}>;
type Rules = Readonly<{
  groups: readonly Readonly<{ rules: readonly Readonly<{ alert: string; expr: string }>[] }>[];
}>;

/** Every query of every panel; Grafana's interval as a number that Prometheus takes. */
export const panelExpressions = (interval: string): readonly NamedExpression[] => {
  const folder = join(monitoringFolder, 'dashboards');
  return readdirSync(folder).flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Dashboard;
    return panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({
        of: `${file}: ${title}`,
        expr: expr.replaceAll('$__rate_interval', interval),
      })),
    );
  });
};

export const alertExpressions = (): readonly NamedExpression[] => {
  const text = readFileSync(join(monitoringFolder, 'alerts.yaml'), 'utf8');
  const { groups } = parse(text) as Rules;
  return groups.flatMap(({ rules }) => rules.map(({ alert: of, expr }) => ({ of, expr })));
};

/** Of Prometheus itself, or given by it. */
const keywords = new Set(['and', 'or', 'unless', 'on', 'bool', 'by', 'without', 'ignoring']);
const givenLabels = new Set(['le', 'job', 'instance']);
const givenMetrics = new Set(['up']);

const grouping = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g;
const selector = /([a-z_][a-z0-9_]*)\{([^}]*)\}/g;

/** Which metrics an expression names, and which labels with them. */
export const namesIn = (expr: string) => {
  const labels = new Set<string>();
  const grouped = expr.replaceAll(grouping, (_text, names: string) => {
    for (const name of names.split(',')) if (name.trim() !== '') labels.add(name.trim());
    return ' ';
  });
  const selected = grouped.replaceAll(selector, (_text, metric: string, matchers: string) => {
    for (const [, label = ''] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)) labels.add(label);
    return metric;
  });
  const metrics = [
    ...selected.replaceAll(/\[[^\]]*\]/g, '').matchAll(/\b([a-z_][a-z0-9_]*)\b(?!\s*\()/g),
  ]
    .map(([, name = '']) => name)
    .filter((name) => !keywords.has(name) && !givenMetrics.has(name));
  return { metrics, labels: [...labels].filter((label) => !givenLabels.has(label)) };
};

export type Exported = ReadonlyMap<string, ReadonlySet<string>>;

/** Names and labels of what a process exports; a family without figures has no labels yet. */
export const exportedBy = (text: string): Exported => {
  const exported = new Map<string, Set<string>>();
  const labelsOf = (name: string): Set<string> => {
    const known = exported.get(name) ?? new Set<string>();
    exported.set(name, known);
    return known;
  };
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const suffix of suffixes) labelsOf(`${name}${suffix}`);
  }
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z_][a-z0-9_]*)\{([^}]*)\}/gm)) {
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) labelsOf(name).add(label);
  }
  return exported;
};
