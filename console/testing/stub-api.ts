import { vi } from 'vitest';

export type StubCall = Readonly<{
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}>;
type Answer = unknown | ((call: StubCall) => unknown);
/** `METHOD /path` → the envelope, a whole Response, or a function that makes one. */
export type StubRoutes = Readonly<Record<string, Answer>>;

export const ok = (data: unknown = null) => ({ success: true, message: '', data });
export const refused = (message: string) => ({ success: false, code: 'test.refused', message });
export const answered = (status: number, body: unknown = {}, requestId = 'req-1') =>
  new Response(JSON.stringify(body), { status, headers: { 'x-request-id': requestId } });

const status = {
  enable_data_export: true,
  enable_drawing: false,
  enable_task: false,
  data_export_default_time: 'hour',
  server_address: '',
  system_name: 'Tollgate',
  logo: '',
  footer_html: '',
  docs_link: '',
  version: '1',
  start_time: 1,
  quota_per_unit: 500_000,
  display_in_currency: true,
  self_use_mode_enabled: false,
  demo_site_enabled: false,
  email_verification: false,
  github_oauth: false,
  oidc_enabled: false,
  linuxdo_oauth: false,
  wechat_login: false,
  wechat_qrcode: '',
  telegram_oauth: false,
  telegram_bot_name: '',
  turnstile_check: false,
  turnstile_site_key: '',
  default_collapse_sidebar: false,
  chats: [] as readonly Readonly<Record<string, string>>[],
  setup: true,
};

const noFactors = { totp: null, passkeys: [], recovery_codes_left: 0, required: false };

/** A server without a server: answers what the test says and keeps what was asked. */
export const stubApi = (routes: StubRoutes): { calls: StubCall[] } => {
  const calls: StubCall[] = [];
  const all: StubRoutes = {
    'GET /api/status': ok(status),
    'GET /api/user/second_factors': ok(noFactors),
    ...routes,
  };
  vi.stubGlobal('fetch', async (target: string, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(target, 'http://console.test');
    const call: StubCall = {
      method: init.method ?? 'GET',
      path: pathname,
      query: searchParams,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
    };
    calls.push(call);
    const known = all[`${call.method} ${pathname}`];
    const answer = typeof known === 'function' ? known(call) : known;
    if (answer === undefined) return answered(404, { message: `nothing at ${pathname}` });
    return answer instanceof Response ? answer : answered(200, answer);
  });
  return { calls };
};

export const statusWith = (changes: Partial<typeof status>) => ok({ ...status, ...changes });
