import { Button, FormGroup } from '@blueprintjs/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';

type Props = Readonly<{
  label: string;
  /** What is wrong, else what the option does. */
  hint: ReactNode;
  isWrong: boolean;
  /** Next to the label, after the button that changes to the other form. */
  aside: ReactNode;
  /** null: the option as it is stored does not fit into it. */
  form: ReactNode | null;
  /** On the button that leads to the form. */
  formText: string;
  /** The option as JSON. */
  text: (id: string) => ReactNode;
}>;

/** A JSON option as a form; its text stays in reach. */
export const JsonOrForm = ({ label, hint, isWrong, aside, form, formText, text }: Props) => {
  const { t } = useTranslation('setting');
  const [isText, setText] = useState(form === null);
  const isShownAsText = isText || form === null;
  const tools = (
    <>
      <Button
        variant="minimal"
        size="small"
        text={isShownAsText ? formText : t('edit-as-json')}
        disabled={form === null}
        onClick={() => setText(!isShownAsText)}
      />
      {aside}
    </>
  );
  if (isShownAsText) {
    return (
      <Field label={label} hint={hint} aside={tools}>
        {text}
      </Field>
    );
  }
  return (
    <FormGroup
      label={<span>{label}</span>}
      helperText={hint}
      className="field has-aside"
      intent={isWrong ? 'danger' : 'none'}
    >
      <div className="field-aside">{tools}</div>
      {form}
    </FormGroup>
  );
};
