// Drops files on a window as a desktop's file manager does: the source's side of the protocol XDND 5.
//
//   drop_files WINDOW X Y FILE...     the window by its X id; the place in pixels of the window
//
// Exit status 0: the window said that it took them.
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr long kVersion = 5;
constexpr int kPatience_ms = 20'000;

/// As in a list of URIs: what is neither a letter, a digit nor plain is written as %XX.
std::string uri_of(const std::string& path) {
    std::string uri = "file://";
    for (const unsigned char c : path) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '/' || c == '.' || c == '-' || c == '_';
        char escaped[4];
        std::snprintf(escaped, sizeof escaped, "%%%02X", c);
        uri += plain ? std::string(1, static_cast<char>(c)) : escaped;
    }
    return uri + "\r\n";
}

class Source {
  public:
    Source(Display* display, Window target, std::string list)
        : display_(display), target_(target), list_(std::move(list)) {
        own_ = XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0);
        XSetSelectionOwner(display_, atom("XdndSelection"), own_, CurrentTime);
    }
    /// Enter, position, drop; true once the target has finished with success.
    bool drop(int x, int y) {
        const Atom uris = atom("text/uri-list");
        send("XdndEnter", kVersion << 24, static_cast<long>(uris), 0, 0);
        send("XdndPosition", 0, (static_cast<long>(x) << 16) | y, CurrentTime,
             static_cast<long>(atom("XdndActionCopy")));
        const XEvent status = wait_for("XdndStatus");
        if ((status.xclient.data.l[1] & 1) == 0) return false;  // it takes nothing here
        send("XdndDrop", 0, CurrentTime, 0, 0);
        return (wait_for("XdndFinished").xclient.data.l[1] & 1) != 0;
    }

  private:
    [[nodiscard]] Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

    void send(const char* type, long l1, long l2, long l3, long l4) {
        XEvent event{};
        event.xclient.type = ClientMessage;
        event.xclient.window = target_;
        event.xclient.message_type = atom(type);
        event.xclient.format = 32;
        const long data[] = {static_cast<long>(own_), l1, l2, l3, l4};
        for (int i = 0; i < 5; ++i)
            event.xclient.data.l[i] = data[i];
        XSendEvent(display_, target_, False, NoEventMask, &event);
        XFlush(display_);
    }
    /// Answers who asks for the list meanwhile; ends the program where nothing comes.
    XEvent wait_for(const char* type) {
        while (true) {
            if (XPending(display_) == 0) {
                pollfd ready{ConnectionNumber(display_), POLLIN, 0};
                if (poll(&ready, 1, kPatience_ms) <= 0) {
                    std::fprintf(stderr, "no %s came\n", type);
                    std::exit(1);
                }
            }
            XEvent event;
            XNextEvent(display_, &event);
            if (event.type == SelectionRequest) give_list(event.xselectionrequest);
            if (event.type == ClientMessage && event.xclient.message_type == atom(type)) return event;
        }
    }
    void give_list(const XSelectionRequestEvent& request) {
        XChangeProperty(display_, request.requestor, request.property, request.target, 8, PropModeReplace,
                        reinterpret_cast<const unsigned char*>(list_.data()), static_cast<int>(list_.size()));
        XEvent answer{};
        answer.xselection.type = SelectionNotify;
        answer.xselection.requestor = request.requestor;
        answer.xselection.selection = request.selection;
        answer.xselection.target = request.target;
        answer.xselection.property = request.property;
        answer.xselection.time = request.time;
        XSendEvent(display_, request.requestor, False, NoEventMask, &answer);
        XFlush(display_);
    }

    Display* display_;
    Window target_, own_ = 0;
    std::string list_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) return 2;
    Display* display = XOpenDisplay(nullptr);
    if (!display) return 3;
    std::string list;
    for (int i = 4; i < argc; ++i)
        list += uri_of(argv[i]);
    Source source(display, std::strtoul(argv[1], nullptr, 0), list);
    const bool taken = source.drop(std::atoi(argv[2]), std::atoi(argv[3]));
    XCloseDisplay(display);
    return taken ? 0 : 1;
}
