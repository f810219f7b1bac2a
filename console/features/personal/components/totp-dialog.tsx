import { Callout, Dialog, DialogBody, InputGroup } from '@blueprintjs/core';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../shared/api/report-error.ts';
import { useCopy } from '../../../shared/clipboard.ts';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { type Enrolled, type NewTotp, useEnrolTotp } from '../api/second-factors.ts';

type Props = Readonly<{
  totp: NewTotp;
  onDone: (enrolled: Enrolled) => void;
  onClose: () => void;
}>;

/** Groups of four are easier to type. */
const spaced = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

/** Scan, or type the secret; then a code shows that both sides have the same. */
export const TotpDialog = ({ totp, onDone, onClose }: Props) => {
  const { t } = useTranslation('factor');
  const { t: common } = useTranslation('common');
  const [code, setCode] = useState('');
  const [isMissing, setMissing] = useState(false);
  const copy = useCopy();
  const enrol = useEnrolTotp();
  const submit = () => {
    if (code.trim() === '') return setMissing(true);
    enrol.mutate({ token: totp.token, code: code.trim() }, { onSuccess: onDone });
  };
  const problem = isMissing ? t('code-missing') : enrol.error && errorText(enrol.error, common);
  return (
    <Dialog isOpen onClose={onClose} title={t('totp-title')} className="tg-dialog">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <DialogBody>
          <p className="proof-lead">{t('totp-scan')}</p>
          <div className="totp-secret">
            <div className="totp-picture">
              <QRCodeSVG value={totp.uri} size={168} title={t('totp-picture')} />
            </div>
            <div>
              <p className="subtle">{t('totp-by-hand')}</p>
              <button
                type="button"
                className="totp-key mono"
                onClick={() => void copy(totp.secret)}
              >
                {spaced(totp.secret)}
              </button>
            </div>
          </div>
          <Field label={t('totp-code')}>
            {(id) => (
              <InputGroup
                id={id}
                size="large"
                className="mono proof-code"
                autoFocus
                autoComplete="one-time-code"
                inputMode="numeric"
                maxLength={8}
                value={code}
                onValueChange={(text) => {
                  setCode(text);
                  setMissing(false);
                }}
              />
            )}
          </Field>
          {problem && (
            <Callout intent="danger" role="alert">
              {problem}
            </Callout>
          )}
        </DialogBody>
        <DialogButtons text={t('totp-enable')} isSending={enrol.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  );
};
