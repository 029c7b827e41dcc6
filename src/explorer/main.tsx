/** The GraphQL explorer: GraphiQL, built with Vite, for people who are logged in. */
import { createRoot } from "react-dom/client";
import { Explorer } from "./explorer.tsx";
import "graphiql/style.css";
import "./explorer.css";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(<Explorer />);
