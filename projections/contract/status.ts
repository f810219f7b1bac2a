import { z } from 'zod';
import { route } from './route.ts';

/** Every field is always sent. */
const publicStatus = z.object({
  version: z.string(),
  /** Unix seconds. */
  start_time: z.number().int(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  email_verification: z.boolean(),
  github_oauth: z.boolean(),
  github_client_id: z.string(),
  linuxdo_oauth: z.boolean(),
  linuxdo_client_id: z.string(),
  telegram_oauth: z.boolean(),
  telegram_bot_name: z.string(),
  wechat_login: z.boolean(),
  wechat_qrcode: z.string(),
  oidc_enabled: z.boolean(),
  oidc_client_id: z.string(),
  oidc_authorization_endpoint: z.string(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  server_address: z.string(),
  /** Local currency per USD. */
  price: z.number(),
  /** USD. */
  min_topup: z.number(),
  /** From so many dollars on, so many percent are added; lowest first. */
  topup_bonus_tiers: z.array(z.object({ dollars: z.number(), percent: z.number() })),
  enable_online_topup: z.boolean(),
  top_up_link: z.string(),
  docs_link: z.string(),
  /** Quota units per USD. */
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  enable_batch_update: z.boolean(),
  enable_drawing: z.boolean(),
  enable_task: z.boolean(),
  enable_data_export: z.boolean(),
  data_export_default_time: z.string(),
  default_collapse_sidebar: z.boolean(),
  mj_notify_enabled: z.boolean(),
  /** Each with exactly one key: name → address template. */
  chats: z.array(z.record(z.string(), z.string())),
  demo_site_enabled: z.boolean(),
  self_use_mode_enabled: z.boolean(),
  /** False sends every page to `/setup`. */
  setup: z.boolean(),
});
export type PublicStatus = z.infer<typeof publicStatus>;

const setupStatus = z.object({
  status: z.boolean(),
  root_init: z.boolean(),
  database_type: z.string(),
});

export const siteApi = {
  'GET /api/status': route('public', 'What a page needs before sign-in.', { data: publicStatus }),
  'GET /api/setup': route('public', 'Whether the site is set up.', { data: setupStatus }),
  'GET /api/status/test': route('admin', 'Checks the database.', { data: z.null() }),
  'GET /api/notice': route('public', 'Returns the notice of the site.', { data: z.string() }),
  'GET /api/about': route('public', 'Returns the text about the site.', { data: z.string() }),
  'GET /api/home_page_content': route('public', 'Returns the text of the home page.', {
    data: z.string(),
  }),
};
