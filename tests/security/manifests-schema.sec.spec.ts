import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type Manifest, overlays, readManifests, readOverlay } from '../support/manifests.ts';

/* `infra/kubernetes/` against the schemas of the API, in their strict form: no field is misspelt. */

type Schemas = Readonly<{
  kinds: Readonly<Record<string, string>>;
  definitions: Readonly<Record<string, object>>;
}>;
const file = new URL('../support/kubernetes-schemas/v1.29.json', import.meta.url);
const { kinds, definitions }: Schemas = JSON.parse(readFileSync(file, 'utf8'));
// Formats such as int32 contain more than a schema checks.
const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
const validators = new Map<string, ValidateFunction>(
  Object.entries(kinds).map(([kind, definition]) => [
    kind,
    ajv.compile({ $ref: `#/definitions/${definition}`, definitions }),
  ]),
);

type Whole = Manifest & Readonly<{ apiVersion: string }>;

const faultsOf = (manifest: Manifest): readonly string[] => {
  const { apiVersion, kind, metadata } = manifest as Whole;
  const validate = validators.get(`${apiVersion}/${kind}`);
  if (validate === undefined) return [`${apiVersion}/${kind} is not a kind that is known`];
  if (validate(manifest)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${kind} ${metadata.name}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
};
const titled = (manifests: readonly Manifest[]): [string, Manifest][] =>
  manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]);

test.each(titled(readManifests()))('%s of the base is as the API has it', (_, manifest) => {
  expect(faultsOf(manifest)).toEqual([]);
});

test('a misspelt field, a wrong type and a missing one are found', () => {
  const [deployment] = readManifests().filter(({ kind }) => kind === 'Deployment');
  const { spec, ...rest } = structuredClone(deployment) as unknown as Whole & {
    spec: Record<string, unknown>;
  };
  const broken = { ...rest, spec: { ...spec, replicas: 'two', strategies: {} } };
  const faults = faultsOf(broken as unknown as Manifest).join('\n');
  expect(faults).toContain('/spec/replicas must be integer');
  expect(faults).toContain('"additionalProperty":"strategies"');
  const { selector: _selector, ...without } = spec;
  expect(faultsOf({ ...rest, spec: without } as unknown as Manifest).join('\n')).toContain(
    "must have required property 'selector'",
  );
});

describe.each(overlays)('the overlay %s', (overlay) => {
  test('adds what the API takes', () => {
    expect(readOverlay(overlay).flatMap(faultsOf)).toEqual([]);
  });

  const title = 'is rendered whole: every ConfigMap that is named is there';
  const hasKubectl = spawnSync('kubectl', ['kustomize', '--help']).status === 0;
  test.skipIf(!hasKubectl)(hasKubectl ? title : `${title} (left out: no kubectl)`, () => {
    const folder = new URL(`../../infra/kubernetes/overlays/${overlay}`, import.meta.url).pathname;
    const text = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
    const rendered = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
    expect(rendered.flatMap(faultsOf)).toEqual([]);
    expect(rendered.length).toBeGreaterThan(readManifests().length);
    const maps = rendered
      .filter(({ kind }) => kind === 'ConfigMap')
      .map((one) => one.metadata.name);
    const named = [...text.matchAll(/configMap(?:KeyRef)?:\n(?:\s+key: \w+\n)?\s+name: (\S+)/g)];
    expect(named.length).toBeGreaterThan(3);
    for (const [, name] of named) expect(maps).toContain(name);
  });
});

const workloads = overlays
  .flatMap(readOverlay)
  .concat(readManifests())
  .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');

test.each(titled(workloads))(
  '%s is probed, spread over machines and never away as a whole',
  (_, one) => {
    type Pod = Readonly<{
      topologySpreadConstraints?: readonly Readonly<{ topologyKey: string }>[];
      containers: readonly Readonly<Record<string, unknown>>[];
    }>;
    const pod = one.spec.template?.spec as unknown as Pod;
    expect(pod.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey)).toContain(
      'kubernetes.io/hostname',
    );
    for (const container of pod.containers) {
      expect(container).toHaveProperty('livenessProbe');
      expect(container).toHaveProperty('readinessProbe');
    }
    const budgets = overlays
      .flatMap(readOverlay)
      .concat(readManifests())
      .filter(({ kind }) => kind === 'PodDisruptionBudget');
    expect(budgets.map(({ metadata }) => metadata.name)).toContain(one.metadata.name);
  },
);
