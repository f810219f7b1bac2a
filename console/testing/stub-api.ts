import { vi } from 'vitest';
import type { PublicStatus } from '../../projections/contract/status.ts';
import { checkAnswer, checkBody } from './contract-check.ts';

export type StubCall = Readonly<{
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}>;
type Answer = unknown | ((call: StubCall) => unknown);
/** `METHOD /path` → the envelope, a whole Response, or a function that makes one, now or later. */
export type StubRoutes = Readonly<Record<string, Answer>>;

export const ok = (data: unknown = null) => ({ success: true, message: '', data });
export const refused = (message: string, code = 'test.refused') => ({
  success: false,
  code,
  message,
});
export const answered = (status: number, body: unknown = {}, requestId = 'req-1') =>
  new Response(JSON.stringify(body), { status, headers: { 'x-request-id': requestId } });

const status: PublicStatus = {
  version: '1',
  start_time: 1,
  system_name: 'Tollgate',
  logo: '',
  footer_html: '',
  email_verification: false,
  github_oauth: false,
  github_client_id: '',
  linuxdo_oauth: false,
  linuxdo_client_id: '',
  telegram_oauth: false,
  telegram_bot_name: '',
  wechat_login: false,
  wechat_qrcode: '',
  oidc_enabled: false,
  oidc_client_id: '',
  oidc_authorization_endpoint: '',
  turnstile_check: false,
  turnstile_site_key: '',
  server_address: '',
  price: 7.2,
  min_topup: 1,
  topup_bonus_tiers: [
    { dollars: 1, percent: 5 },
    { dollars: 3, percent: 8 },
    { dollars: 7, percent: 12 },
    { dollars: 15, percent: 18 },
    { dollars: 35, percent: 22 },
    { dollars: 280, percent: 40 },
  ],
  enable_online_topup: false,
  top_up_link: '',
  docs_link: '',
  quota_per_unit: 500_000,
  display_in_currency: true,
  enable_batch_update: false,
  enable_drawing: false,
  enable_task: false,
  enable_data_export: true,
  data_export_default_time: 'hour',
  default_collapse_sidebar: false,
  mj_notify_enabled: false,
  chats: [],
  demo_site_enabled: false,
  self_use_mode_enabled: false,
  setup: true,
};

const noFactors = { totp: null, passkeys: [], recovery_codes_left: 0, required: false };

/** A server stub: returns the answers of the test and keeps the requests. */
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
    const called = `${call.method} ${pathname}`;
    if (call.body !== null) checkBody(called, call.query, call.body);
    const known = all[called];
    const answer = await (typeof known === 'function' ? known(call) : known);
    if (answer === undefined) return answered(404, { message: `nothing at ${pathname}` });
    if (answer instanceof Response) return answer;
    checkAnswer(called, answer);
    return answered(200, answer);
  });
  return { calls };
};

export const statusWith = (changes: Partial<typeof status>) => ok({ ...status, ...changes });
