import { Button, Callout, Classes, ProgressBar } from '@blueprintjs/core';
import { Endorsed, Play } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { formatUnits } from '../../../shared/format/quota.ts';
import { useStartVerify, useVerify, type VerifyState } from '../api/verify.ts';
import { ReportView } from '../components/report-view.tsx';

const Progress = ({ progress }: Readonly<{ progress: NonNullable<VerifyState['running']> }>) => {
  const { t } = useTranslation('verify');
  const { share, phase, events } = progress;
  return (
    <section className="panel panel-body verify-progress" aria-live="polite">
      <p>
        {t(`phase.${phase}`)}
        <span className="subtle">
          {t('progress', {
            share: Math.floor(share * 100),
            count: events,
            events: formatUnits(events),
          })}
        </span>
      </p>
      <ProgressBar value={share} intent="primary" />
    </section>
  );
};

export const Verify = () => {
  const { t } = useTranslation(['verify', 'common']);
  const verify = useVerify();
  const start = useStartVerify();
  const state = verify.data;
  const running = state?.running ?? null;
  const isRunning = running !== null;
  const button = (
    <Button
      intent="primary"
      icon={<Play />}
      text={isRunning ? t('running') : t('start')}
      disabled={isRunning || !state}
      loading={start.isPending}
      onClick={() => start.mutate()}
    />
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={button}>
      {verify.isError && !state && (
        <LoadFailed error={verify.error} onRetry={() => void verify.refetch()} />
      )}
      {verify.isPending && <div className={`panel ${Classes.SKELETON} card-skeleton`} />}
      {running && <Progress progress={running} />}
      {state?.error && (
        <Callout intent="danger" title={t('run-failed')}>
          {state.error}
        </Callout>
      )}
      {state?.report && <ReportView report={state.report} />}
      {state && !state.report && !isRunning && !state.error && (
        <section className="panel">
          <EmptyState
            icon={<Endorsed size={36} />}
            title={t('never-run')}
            hint={t('never-run-hint')}
          />
        </section>
      )}
    </Page>
  );
};
