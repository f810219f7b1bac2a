import { Button, Callout, Classes } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { toast } from '../../../shared/toast.ts';
import {
  type Enrolled,
  type SecondFactorList,
  useBeginTotp,
  useNewRecoveryCodes,
  useSecondFactors,
} from '../api/second-factors.ts';
import { PasskeyRow, TotpRow } from './factor-rows.tsx';
import { AddPasskeyDialog } from './passkey-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { TotpDialog } from './totp-dialog.tsx';

/** Fewer left than this are worth a warning. */
const fewCodes = 3;

const hasFactor = ({ totp, passkeys }: SecondFactorList): boolean =>
  totp !== null || passkeys.length > 0;

type CodesProps = Readonly<{ left: number; onCodes: (codes: readonly string[]) => void }>;

const RecoveryCodes = ({ left, onCodes }: CodesProps) => {
  const { t } = useTranslation('factor');
  const renew = useNewRecoveryCodes();
  return (
    <li aria-label={t('codes')}>
      <div className="device">
        <div className="device-name">{t('codes')}</div>
        <div className={left < fewCodes ? 'device-facts error-text' : 'device-facts'}>
          {t('codes-left', { number: left })}
        </div>
      </div>
      <ConfirmPopover
        title={t('codes-renew-question')}
        hint={t('codes-renew-hint')}
        onConfirm={() =>
          renew.mutate(undefined, { onSuccess: ({ recovery_codes }) => onCodes(recovery_codes) })
        }
      >
        <Button size="small" variant="minimal" text={t('codes-renew')} loading={renew.isPending} />
      </ConfirmPopover>
    </li>
  );
};

const Factors = ({ factors }: Readonly<{ factors: SecondFactorList }>) => {
  const { t } = useTranslation('factor');
  const begin = useBeginTotp();
  const [isAdding, setAdding] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const hasAny = hasFactor(factors);
  const enrolled = ({ recovery_codes }: Enrolled) => {
    begin.reset();
    setAdding(false);
    setCodes(recovery_codes);
    toast('success', t('enrolled'));
  };
  return (
    <>
      {factors.required && !hasAny && (
        <Callout intent="warning" className="factor-note">
          {t('required')}
        </Callout>
      )}
      {hasAny && (
        <ul className="bindings devices" aria-label={t('title')}>
          {factors.totp && <TotpRow totp={factors.totp} />}
          {factors.passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
          <RecoveryCodes left={factors.recovery_codes_left} onCodes={setCodes} />
        </ul>
      )}
      <div className="factor-actions">
        <Button text={t('passkey-add')} onClick={() => setAdding(true)} />
        {factors.totp === null && (
          <Button
            text={t('totp-add')}
            loading={begin.isPending}
            onClick={() => begin.mutate(undefined)}
          />
        )}
      </div>
      {begin.data && (
        <TotpDialog totp={begin.data} onDone={enrolled} onClose={() => begin.reset()} />
      )}
      {isAdding && <AddPasskeyDialog onDone={enrolled} onClose={() => setAdding(false)} />}
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
    </>
  );
};

/** The user's proof in addition to a password. `#second-factor` leads here. */
export const SecondFactorCard = () => {
  const { t } = useTranslation('factor');
  const factors = useSecondFactors();
  const { hash } = useLocation();
  const card = useRef<HTMLElement>(null);
  const isMeant = hash === '#second-factor' && factors.data !== undefined;
  useEffect(() => {
    if (isMeant) card.current?.scrollIntoView?.({ block: 'center' });
  }, [isMeant]);
  return (
    <section className="panel panel-body" id="second-factor" ref={card}>
      <h2 className="panel-title">{t('title')}</h2>
      <p className="panel-lead">{t('lead')}</p>
      {factors.isPending && <div className={`${Classes.SKELETON} devices-skeleton`} />}
      {factors.isError && (
        <LoadFailed error={factors.error} onRetry={() => void factors.refetch()} />
      )}
      {factors.data && <Factors factors={factors.data} />}
    </section>
  );
};
