import { useState } from "react";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { showNotice } from "../../../ui/notice.tsx";

const DeleteMissionTemplate = graphql(`
  mutation DeleteMissionTemplate($input: DeleteMissionTemplateInput!) {
    deleteMissionTemplate(input: $input) {
      missionTemplate {
        uuid
      }
    }
  }
`);

export type DeleteTemplateProps = { name: string; onDeleted: () => void };

/** Deletes the template that the form was filled in from. */
export function DeleteTemplate({ name, onDeleted }: DeleteTemplateProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { act, isBusy, problem, clear } = useAct(DeleteMissionTemplate);

  function close(): void {
    setIsOpen(false);
    clear();
  }

  async function carryOut(): Promise<void> {
    if ((await act({ input: { name } })) === null) return;
    showNotice(`The template ${name} has been deleted.`);
    close();
    onDeleted();
  }

  return (
    <>
      <button type="button" className="button" onClick={() => setIsOpen(true)}>
        Delete template
      </button>
      <ConfirmDialog
        title={`Delete ${name}?`}
        confirmLabel="Delete template"
        isOpen={isOpen}
        onClose={close}
        onConfirm={() => void carryOut()}
        isBusy={isBusy}
        problem={problem}
      >
        <ul className="consequences">
          <li>Nobody in the workspace can start from it any more.</li>
          <li>Missions that were created from it stay as they are.</li>
        </ul>
      </ConfirmDialog>
    </>
  );
}
