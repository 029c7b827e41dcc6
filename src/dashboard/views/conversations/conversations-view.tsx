import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isUuid } from "../../data/global-id.ts";
import { ConversationList } from "./conversation-list.tsx";
import { ConversationPage } from "./conversation-page.tsx";

/** The list of conversations, and one conversation. */
export function ConversationsView() {
  return (
    <Switch>
      <Route path="/conversations">
        <ConversationList />
      </Route>
      <Route path="/conversations/:contextId">
        {({ contextId }) =>
          isUuid(contextId) ? (
            <ConversationPage key={contextId} contextId={contextId} />
          ) : (
            <NotFound what="conversation" />
          )
        }
      </Route>
      <Route>
        <NotFound what="conversation" />
      </Route>
    </Switch>
  );
}
