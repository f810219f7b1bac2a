import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Certificate = Readonly<{ keyFile: string; certFile: string; remove: () => void }>;

/** For 127.0.0.1, signed by itself: `NODE_EXTRA_CA_CERTS` names it to those who are to trust it. Needs openssl. */
export const makeCertificate = (): Certificate => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  const keyFile = join(folder, 'key.pem');
  const certFile = join(folder, 'cert.pem');
  const subject = ['-subj', '/CN=tollgate-bench', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', keyFile, '-out', certFile];
  execFileSync('openssl', ['req', '-x509', ...key, '-days', '2', ...subject, ...files], {
    stdio: 'pipe',
  });
  return { keyFile, certFile, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
