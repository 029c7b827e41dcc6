/**
 * The script of the settings, which the server renders and which work without it: puts the dashboard's header, emergency
 * stops and palette around them.
 */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Provider } from "urql";
import { addCopyButtons } from "./app/add-copy-buttons.tsx";
import { SettingsFrame } from "./app/settings-frame.tsx";
import { client } from "./data/client.ts";
import { followLiveEvents } from "./data/live/stream.ts";
import "./ui/style/dashboard.css";

const frame = document.getElementById("frame");
const notes = document.getElementById("frame-notes");
if (frame === null || notes === null) throw new Error("the page has no frame");
addCopyButtons();
followLiveEvents();
createRoot(frame).render(
  <StrictMode>
    <Provider value={client}>
      <SettingsFrame notes={notes} />
    </Provider>
  </StrictMode>,
);
