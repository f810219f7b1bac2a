import type { BillingCase } from './billing-cases.ts';
import { f, times } from './fractions.ts';

/** Of the operator: USD for a second. */
export const videoPrices = { 'own-video': 0.0567, 'own-video@1920x1080': 0.1234 };

/** P of the size, else of the model · seconds · 500,000 units for a USD. */
export const videoCases: readonly BillingCase[] = [
  {
    kind: 'a video at the default price',
    model: 'sora-2',
    usage: { videoSeconds: 12 },
    videoSize: '1280x720',
    due: times(f('0.1'), 12, 500_000),
  },
  {
    kind: 'a video of a model whose larger sizes cost more',
    model: 'sora-2-pro',
    usage: { videoSeconds: 4 },
    videoSize: '720x1280',
    due: times(f('0.3'), 4, 500_000),
  },
  {
    kind: 'a video in a larger size',
    model: 'sora-2-pro',
    usage: { videoSeconds: 8 },
    videoSize: '1792x1024',
    due: times(f('0.5'), 8, 500_000),
  },
  {
    kind: 'a video at a price of the operator',
    model: 'own-video',
    usage: { videoSeconds: 7 },
    videoSize: '1280x720',
    due: times(f('0.0567'), 7, 500_000),
  },
  {
    kind: 'a video at a price of the operator for its size',
    model: 'own-video',
    usage: { videoSeconds: 7 },
    videoSize: '1920x1080',
    due: times(f('0.1234'), 7, 500_000),
  },
  {
    kind: 'a video of Veo at the default price',
    model: 'veo-3.1-fast-generate-preview',
    usage: { videoSeconds: 6 },
    videoSize: '720x1280',
    due: times(f('0.15'), 6, 500_000),
  },
  {
    kind: 'a video of Veo in its largest size',
    model: 'veo-3.1-generate-preview',
    usage: { videoSeconds: 8 },
    videoSize: '3840x2160',
    due: times(f('0.6'), 8, 500_000),
  },
  {
    kind: 'a video of Veo by its name on Vertex AI, in its largest size',
    model: 'veo-3.1-fast-generate-001',
    usage: { videoSeconds: 8 },
    videoSize: '2160x3840',
    due: times(f('0.35'), 8, 500_000),
  },
  {
    kind: 'no second of a video',
    model: 'own-video',
    usage: { videoSeconds: 0 },
    videoSize: '1280x720',
    due: f('0'),
  },
];
