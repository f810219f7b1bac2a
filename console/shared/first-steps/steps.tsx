import { Tick } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { call } from '../api/client.ts';
import { channelAdd, paths } from '../paths.ts';
import { TestProvider } from './test-provider.tsx';

type Step = Readonly<{ id: 'channel' | 'price' | 'token' | 'call'; isDone: boolean; to: string }>;

/** Keys begin with those of the lists, so that a change of a list is seen here too. */
const useSteps = (isAdmin: boolean): readonly Step[] | undefined => {
  const channels = useQuery({
    queryKey: ['channel', 'first-steps'],
    queryFn: () => call('GET /api/channel/', { query: { p: 0, page_size: 1 } }),
    enabled: isAdmin,
    meta: { isQuiet: true },
  }).data;
  const prices = useQuery({
    queryKey: ['pricing', 'first-steps'],
    queryFn: () => call('GET /api/pricing'),
    enabled: isAdmin,
    meta: { isQuiet: true },
  }).data;
  const tokens = useQuery({
    queryKey: ['token', 'first-steps'],
    queryFn: () => call('GET /api/token/', { query: { p: 0, size: 1 } }),
    meta: { isQuiet: true },
  }).data;
  if (tokens === undefined) return undefined;
  const own: readonly Step[] = [
    { id: 'token', isDone: tokens.length > 0, to: paths.token },
    { id: 'call', isDone: false, to: paths.playground },
  ];
  if (!isAdmin) return own;
  if (channels === undefined || prices === undefined) return undefined;
  return [
    { id: 'channel', isDone: channels.length > 0, to: channelAdd },
    {
      id: 'price',
      isDone: prices.some(({ has_price }) => has_price),
      to: `${paths.setting}?tab=operation`,
    },
    ...own,
  ];
};

/** Finished steps, and the next one. */
export const Steps = ({ isAdmin }: Readonly<{ isAdmin: boolean }>) => {
  const { t } = useTranslation('connect');
  const steps = useSteps(isAdmin);
  if (steps === undefined) return null;
  const next = steps.find(({ isDone }) => !isDone);
  const textOf = ({ id, to }: Step, isNext: boolean): ReactNode =>
    isNext ? <Link to={to}>{t(`step.${id}`)}</Link> : t(`step.${id}`);
  return (
    <section className="panel panel-body first-steps" aria-label={t('first-steps')}>
      <h2 className="panel-title">{t('first-steps')}</h2>
      <ol>
        {steps.map((step, at) => (
          <li key={step.id} className={step.isDone ? 'is-done' : ''}>
            <span className="step-mark" aria-hidden>
              {step.isDone ? <Tick size={14} /> : at + 1}
            </span>
            <div>
              <strong>{textOf(step, step === next)}</strong>
              <p className="step-text">
                {step.isDone ? t('step-done') : t(`step.${step.id}-hint`)}
              </p>
              {step.id === 'channel' && !step.isDone && <TestProvider />}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
};
