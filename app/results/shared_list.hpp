// Values that copies share: a list until one of its copies is changed, and a text that never changes.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace lab {

/// Reads like a `const std::vector`. Copying costs a reference count. Changing a list that others share
/// copies it first. Different threads may read and drop copies; one object belongs to one thread at
/// a time.
template <class T>
class SharedList {
  public:
    using value_type = T;
    using const_iterator = typename std::vector<T>::const_iterator;

    SharedList() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a vector is a list that is not shared yet
    SharedList(std::vector<T> items) : items_(std::make_shared<std::vector<T>>(std::move(items))) {}
    SharedList(std::initializer_list<T> items) : SharedList(std::vector<T>(items)) {}
    SharedList(const SharedList& other) : items_(other.items_) {}
    SharedList(SharedList&&) noexcept = default;
    SharedList& operator=(const SharedList& other) {
        if (this != &other) items_ = other.items_;
        return *this;
    }
    SharedList& operator=(SharedList&&) noexcept = default;
    ~SharedList() = default;

    [[nodiscard]] const std::vector<T>& read() const { return items_ ? *items_ : none(); }
    [[nodiscard]] const_iterator begin() const { return read().begin(); }
    [[nodiscard]] const_iterator end() const { return read().end(); }
    [[nodiscard]] std::size_t size() const { return items_ ? items_->size() : 0; }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return (*items_)[i]; }
    [[nodiscard]] const T& front() const { return read().front(); }
    [[nodiscard]] const T& back() const { return read().back(); }

    /// For changing parts of it. Valid until the next copy is made.
    [[nodiscard]] std::vector<T>& edit() {
        if (!items_)
            items_ = std::make_shared<std::vector<T>>();
        else if (items_.use_count() > 1)
            items_ = std::make_shared<std::vector<T>>(*items_);
        return *items_;
    }
    /// For rewriting all of it: its contents are those of some earlier version. Two buffers alternate while
    /// the other one is still read, so that nothing is copied or allocated from frame to frame.
    [[nodiscard]] std::vector<T>& rewrite() {
        if (items_ && items_.use_count() == 1) return *items_;
        std::swap(items_, spare_);
        if (!items_ || items_.use_count() > 1) items_ = std::make_shared<std::vector<T>>();
        return *items_;
    }

    friend bool operator==(const SharedList& a, const SharedList& b) { return a.read() == b.read(); }

  private:
    static const std::vector<T>& none() {
        static const std::vector<T> kNone;
        return kNone;
    }
    std::shared_ptr<std::vector<T>> items_;
    std::shared_ptr<std::vector<T>> spare_;  // the buffer that readers had when the last one was started
};

/// Reads like a `const std::string`.
class SharedText {
  public:
    SharedText() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a string is a text that is not shared yet
    SharedText(std::string text) : text_(std::make_shared<const std::string>(std::move(text))) {}
    SharedText(const SharedText&) = default;
    SharedText(SharedText&&) noexcept = default;
    /// Most assignments from frame to frame change nothing, and then leave the reference count alone.
    // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): a text has the same pointer as itself
    SharedText& operator=(const SharedText& other) {
        if (text_ != other.text_) text_ = other.text_;
        return *this;
    }
    SharedText& operator=(SharedText&&) noexcept = default;
    ~SharedText() = default;
    [[nodiscard]] const std::string& str() const {
        static const std::string kNone;
        return text_ ? *text_ : kNone;
    }
    // NOLINTNEXTLINE(google-explicit-constructor)
    operator const std::string&() const { return str(); }
    [[nodiscard]] const char* c_str() const { return str().c_str(); }
    friend bool operator==(const SharedText& a, const SharedText& b) { return a.str() == b.str(); }
    friend std::ostream& operator<<(std::ostream& out, const SharedText& text) { return out << text.str(); }

  private:
    std::shared_ptr<const std::string> text_;
};

}  // namespace lab
