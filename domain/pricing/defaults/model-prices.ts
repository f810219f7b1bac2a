/**
 * USD per call; beats a ratio of the same name. Of videos: USD per second, `model@size` where a size
 * has a price of its own.
 */
export const defaultModelPrices: Readonly<Record<string, number>> = {
  suno_music: 0.1,
  suno_lyrics: 0.01,
  'dall-e-3': 0.04,
  'imagen-3.0-generate-002': 0.03,
  'gpt-4-gizmo-*': 0.1,
  mj_imagine: 0.1,
  mj_variation: 0.1,
  mj_reroll: 0.1,
  mj_blend: 0.1,
  mj_modal: 0.1,
  mj_zoom: 0.1,
  mj_shorten: 0.1,
  mj_high_variation: 0.1,
  mj_low_variation: 0.1,
  mj_pan: 0.1,
  mj_inpaint: 0,
  mj_custom_zoom: 0,
  mj_describe: 0.05,
  mj_upscale: 0.05,
  swap_face: 0.05,
  mj_upload: 0.05,
  'sora-2': 0.1,
  'sora-2-pro': 0.3,
  'sora-2-pro@1024x1792': 0.5,
  'sora-2-pro@1792x1024': 0.5,
};
