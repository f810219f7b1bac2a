import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const script = new URL('../../../infra/tooling/make-cluster-secrets.sh', import.meta.url).pathname;

export type ClusterSecrets = Readonly<{
  folder: string;
  caFile: string;
  read: (name: string) => string;
  remove: () => void;
}>;

/** The files of `infra/tooling/make-cluster-secrets.sh`, in a separate folder. */
export const makeClusterSecrets = (): ClusterSecrets => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'));
  execFileSync('sh', [script, folder], { stdio: 'pipe' });
  // The embedded PostgreSQL of a test may run as another user.
  chmodSync(folder, 0o755);
  return {
    folder,
    caFile: join(folder, 'ca.crt'),
    read: (name) => readFileSync(join(folder, name), 'utf8').trim(),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
