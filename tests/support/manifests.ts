import { readdirSync, readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';

type Json = Readonly<Record<string, unknown>>;

const infra = new URL('../../infra/', import.meta.url).pathname;
export const readInfra = (path: string): string => readFileSync(`${infra}${path}`, 'utf8');

export type ComposeService = Readonly<{
  image?: string;
  user?: string;
  read_only?: boolean;
  privileged?: boolean;
  cap_drop?: readonly string[];
  cap_add?: readonly string[];
  security_opt?: readonly string[];
  network_mode?: string;
  networks: readonly string[] | Readonly<Record<string, unknown>>;
  ports?: readonly string[];
  environment?: Readonly<Record<string, string>>;
  secrets?: readonly (string | Readonly<{ source: string; target: string }>)[];
  volumes?: readonly string[];
  tmpfs?: readonly string[];
  command?: readonly string[];
}>;
export type Compose = Readonly<{
  services: Readonly<Record<string, ComposeService>>;
  networks: Readonly<Record<string, Readonly<{ internal?: boolean }> | null>>;
  secrets: Readonly<Record<string, Readonly<{ file: string }>>>;
}>;

export const readCompose = (): Compose =>
  parse(readInfra('compose.yaml'), { merge: true }) as Compose;

export const networksOf = ({ networks }: ComposeService): readonly string[] =>
  (Array.isArray(networks) ? (networks as string[]) : Object.keys(networks)).toSorted();
export const secretsOf = ({ secrets = [] }: ComposeService): readonly string[] =>
  secrets.map((one) => (typeof one === 'string' ? one : one.source)).toSorted();

type EnvVar = Readonly<{
  name: string;
  value?: string;
  valueFrom?: Readonly<{ configMapKeyRef?: Json; fieldRef?: Json; secretKeyRef?: Json }>;
}>;
type Container = Readonly<{
  name: string;
  env?: readonly EnvVar[];
  envFrom?: unknown;
  securityContext: Readonly<{
    allowPrivilegeEscalation: boolean;
    readOnlyRootFilesystem: boolean;
    privileged?: boolean;
    capabilities: Readonly<{ drop: readonly string[]; add?: readonly string[] }>;
  }>;
}>;
export type PodSpec = Readonly<{
  automountServiceAccountToken?: boolean;
  serviceAccountName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  securityContext: Readonly<{
    runAsNonRoot: boolean;
    runAsUser: number;
    seccompProfile: Readonly<{ type: string }>;
  }>;
  containers: readonly Container[];
  volumes: readonly Readonly<{
    name: string;
    hostPath?: unknown;
    secret?: Readonly<{ secretName: string; items?: readonly Readonly<{ key: string }>[] }>;
  }>[];
}>;
type Rule = Readonly<{
  from?: readonly unknown[];
  to?: readonly Readonly<{ ipBlock?: Readonly<{ cidr: string; except: readonly string[] }> }>[];
  ports?: readonly Readonly<{ protocol: string; port: number; endPort?: number }>[];
}>;
export type Manifest = Readonly<{
  kind: string;
  metadata: Readonly<{ name: string; labels?: Readonly<Record<string, string>> }>;
  spec: Readonly<{
    template?: Readonly<{ spec: PodSpec }>;
    podSelector?: Json;
    policyTypes?: readonly string[];
    ingress?: readonly Rule[];
    egress?: readonly Rule[];
  }>;
}>;

const objectsBelow = (folder: string): readonly Manifest[] =>
  readdirSync(`${infra}${folder}`)
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .flatMap((name) => parseAllDocuments(readInfra(`${folder}/${name}`)))
    .map((document) => document.toJS() as Manifest);

export const overlays: readonly string[] = readdirSync(`${infra}kubernetes/overlays`);

/** Every object of `infra/kubernetes/base/`. */
export const readManifests = (): readonly Manifest[] => objectsBelow('kubernetes/base');

/** What an overlay adds to those. */
export const readOverlay = (name: string): readonly Manifest[] =>
  objectsBelow(`kubernetes/overlays/${name}`);
